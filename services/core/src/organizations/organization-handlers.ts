import { can } from '@longreach/authorization/can'
import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import { AppError, failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { checkMayGrant } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findUserBySub } from '../directory/user-store.ts'
import { ownerRoles, readyMadeRoles } from '../roles/ready-made-roles.ts'
import { checkGivenFromAbove } from './given-from-above.ts'
import { changeOrganization } from './organization-changing.ts'
import type { NewOrganization, organizationEndpoints } from './organization-contract.ts'
import { makeAdministrator, makeOrganization } from './organization-making.ts'
import { grantsOf, toOrganization } from './organization-rules.ts'
import {
  findEnterable,
  findOrganization,
  listMemberships,
  listRealms,
  lockOrganization,
  searchBelow,
} from './organization-store.ts'
import { loginInfo } from './login-info.ts'
import { makeRealm, makeRoot } from './root-making.ts'

type OrganizationHandlers = Pick<Handlers<typeof coreContract>, keyof typeof organizationEndpoints>
const organizationNotFound = () =>
  failure(coreContract, 'not_found', { message: 'No such organization' })

export const organizationHandlers = (deps: CoreDeps): OrganizationHandlers => ({
  ...organizationReadHandlers(deps),
  loginInfo: loginInfo(deps),
  ...making(deps),
  updateOrganization: async ({ query: { force = false }, body }, ctx) => {
    await checkGivenFromAbove(deps, body, ctx)
    const row = await deps.db
      .transaction()
      .execute((tx) => changeOrganization(tx, { change: body, ctx, force }))
    return toOrganization(row)
  },
})

const organizationReadHandlers = ({ db }: CoreDeps) =>
  ({
    mine: async (_, { caller }) => {
      const user = await findUserBySub(db, caller)
      const rows = user ? await listMemberships(db, user.id) : []
      // An API key knows of no organization but its own.
      const key = caller.apiKey
      const seen = key ? rows.filter((row) => row.resource_id === key.organization) : rows
      return seen.map(({ roles, ...row }) => ({
        ...toOrganization(row, true, caller.org),
        roles: roles ?? [],
      }))
    },

    mineRealms: async (_, { caller }) => {
      const user = await findUserBySub(db, caller)
      return user ? listRealms(db, user.id) : []
    },

    myIp: async (_, { ip }) => [ip.replace(/^::ffff:(?=\d+\.)/i, '')],

    grants: async (_, { organization }) => {
      const row = await findOrganization(db, organization.id)
      if (!row) throw organizationNotFound()
      return grantsOf(row)
    },

    organization: async (_, { caller, organization }) => {
      const row = await findOrganization(db, organization.id)
      if (!row) throw organizationNotFound()
      return toOrganization(row, true, caller.org)
    },

    licensedOrganization: async (_, { organization }) => {
      const row = await findOrganization(db, organization.id)
      if (!row) throw organizationNotFound()
      const { id: orgCoreId, resource_id: orgResourceId, name, label } = row
      return { orgCoreId, orgResourceId, name, label }
    },

    organizations: async ({ query }, { caller, organization, capability }) => {
      const user = await findUserBySub(db, caller)
      if (!user) return toContentPage([], 0, query)
      const { userId: member, ...wanted } = query
      if (member !== undefined && member !== user.id && !can(capability, 'users', 'read')) {
        throw new AppError(403, 'auth.missing_permission', { permission: 'users:read' })
      }
      const asked = { ...wanted, member, userId: user.id, organizationId: organization.id }
      const { rows, total } = await searchBelow(db, asked)
      const ids = query.includePrivateAccess === true ? rows.map(({ id }) => id) : []
      const mayEnter = await findEnterable(db, user.id, ids)
      return toContentPage(
        rows.map((row) =>
          toOrganization(row, ids.length === 0 || mayEnter.has(row.id), caller.org),
        ),
        total,
        query,
      )
    },
  }) satisfies Partial<OrganizationHandlers>

const making = (deps: CoreDeps) =>
  ({
    createRoot: async ({ body: { owner, ...organization } }, ctx) => {
      const { caller, now } = ctx
      if (caller.kind !== 'service') {
        if (owner) throw onlyForRoots()
        return createBelow(deps, ctx, { body: organization, addDefaultRoles: true })
      }
      if (owner)
        return toOrganization((await makeRoot(deps, { organization, owner, now })).row, false)
      await makeRealm(deps, organization)
      const making = { parent: null, body: organization, addDefaultRoles: true, now }
      return toOrganization(
        await deps.db.transaction().execute((tx) => makeOrganization(tx, making)),
        false,
      )
    },

    createOrganization: async ({ query: { addDefaultRoles }, body }, ctx) =>
      createBelow(deps, ctx, { body, addDefaultRoles }),
  }) satisfies Partial<OrganizationHandlers>

const onlyForRoots = () =>
  new AppError(400, 'request.invalid', {
    message: 'owner: only a root organization is made with its owner; add people afterwards',
    part: 'body',
    fields: [{ field: 'owner', message: 'only a root organization has one', rule: 'unknown' }],
  })

type Below = { body: NewOrganization; addDefaultRoles: boolean }

/** Make an organization below the one that the call is in. */
async function createBelow(deps: CoreDeps, ctx: OrgCtx, { body, addDefaultRoles }: Below) {
  const { organization, below, caller, now } = ctx
  const closed = body.privateAccess === true
  if (closed) await checkFirstAdministrator(deps, ctx, addDefaultRoles)
  const maker = closed ? await findUserBySub(deps.db, caller) : undefined
  const row = await deps.db.transaction().execute(async (tx) => {
    const parent = await lockOrganization(tx, organization.id)
    if (!parent) throw organizationNotFound()
    const made = await makeOrganization(tx, { parent, body, addDefaultRoles, now })
    if (maker) await makeAdministrator(tx, made, maker)
    await recordChange(tx, ctx, {
      resource: 'organizations',
      action: 'create',
      id: made.id,
      label: made.label,
      after: { ...body, resourceId: made.resource_id },
    })
    return made
  })
  return toOrganization(row, below || closed)
}

/** Check that the caller can be the first administrator of a new organization with private access. */
async function checkFirstAdministrator(deps: CoreDeps, ctx: OrgCtx, addDefaultRoles: boolean) {
  if (!addDefaultRoles) {
    const message =
      'An organization with private access needs the default roles to have an administrator'
    throw failure(coreContract, 'needs_administrator', { field: 'privateAccess', message })
  }
  const given = readyMadeRoles.filter(({ name }) => ownerRoles.includes(name))
  await checkMayGrant(deps, ctx, given)
}
