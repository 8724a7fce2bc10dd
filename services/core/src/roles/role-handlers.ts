import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { checkMayGrant } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { pathRows } from './model-path-rows.ts'
import { numberedPermissions } from './permission-ids.ts'
import {
  changeRole,
  contentsOf,
  readyMadeError,
  checkPathsAllowed,
  nameTaken,
  requireRole,
} from './role-changing.ts'
import type { NewRole, roleEndpoints } from './role-contract.ts'
import {
  deleteRole,
  holdersOfRole,
  insertRole,
  isRole,
  lockRole,
  searchRoles,
} from './role-store.ts'
import { toRole } from './role-wire.ts'

type RoleHandlers = Pick<Handlers<typeof coreContract>, keyof typeof roleEndpoints>

export const roleHandlers = (deps: CoreDeps): RoleHandlers => ({
  ...roleReadHandlers(deps),
  ...roleChangeHandlers(deps),
})

const roleReadHandlers = ({ db }: CoreDeps) =>
  ({
    roles: async ({ query: { owner, owners, ownerRef, ...query } }, { organization }) => {
      // Roles that an app brings name it; there are none of them yet.
      if (ownerRef !== undefined) return toContentPage([], 0, query)
      const asked = { ...query, owners: owners ?? owner }
      const { rows, total } = await searchRoles(db, organization.id, asked)
      const shown = rows.map((row) => toRole(row, organization.resourceId))
      return toContentPage(shown, total, query)
    },

    role: async ({ params: { role } }, { organization }) =>
      toRole(await requireRole(db, organization.id, role), organization.resourceId),

    roleExists: async ({ params: { role } }, { organization }) => isRole(db, organization.id, role),

    applicationPermissions: async ({ query }) => {
      const { orderBy, orderDir, page, pageSize } = query
      const sign = orderDir === 'asc' ? 1 : -1
      const all = numberedPermissions
        .map(({ id, name }) => ({ id, name }))
        .toSorted((a, b) => (a[orderBy] < b[orderBy] ? -sign : sign))
      return toContentPage(all.slice(page * pageSize, (page + 1) * pageSize), all.length, query)
    },
  }) satisfies Partial<RoleHandlers>

const roleChangeHandlers = (deps: CoreDeps) =>
  ({
    createRole: async ({ body }, ctx) => {
      const { organization, now } = ctx
      const { resourceId } = organization
      const copied = body.copyOf === undefined ? undefined : await copyOf(deps, ctx, body.copyOf)
      const asked = await contentsOf(deps.db, ctx, body)
      const facts = toRoleFacts(body, copied)
      const contents = {
        rules: asked.rules ?? copied?.rules ?? [],
        paths: asked.paths ?? copied?.paths ?? [],
      }
      checkPathsAllowed(facts.type, contents.paths)
      await checkMayGrant(deps, ctx, [{ ...facts, ...contents }])
      return deps.db.transaction().execute(async (tx) => {
        const paths = await pathRows(tx, organization.id, contents.paths, now)
        const { rules } = contents
        const id = await insertRole(tx, organization.id, { ...facts, rules, paths }, now)
        if (id === undefined) throw nameTaken(body.name)
        const made = toRole(await requireRole(tx, organization.id, id), resourceId)
        const { label } = made
        await recordChange(tx, ctx, { resource: 'roles', action: 'create', id, label, after: made })
        return made
      })
    },

    updateRole: async ({ params: { role }, body }, ctx) =>
      toRole(await changeRole(deps, ctx, role, body), ctx.organization.resourceId),

    deleteRole: async ({ params: { role }, query: { force } }, ctx) => {
      const { id, resourceId } = ctx.organization
      await checkMayGrant(deps, ctx, [await requireRole(deps.db, id, role)])
      await deps.db.transaction().execute(async (tx) => {
        await lockRole(tx, id, role)
        const known = await requireRole(tx, id, role)
        if (known.owner !== 'ORGANIZATION') throw readyMadeError(known.label)
        if (!force) checkRoleUnused(known.label, await holdersOfRole(tx, role))
        await deleteRole(tx, id, role)
        await recordChange(tx, ctx, {
          resource: 'roles',
          action: 'delete',
          id: role,
          label: known.label,
          before: toRole(known, resourceId),
        })
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },
  }) satisfies Partial<RoleHandlers>

const copyOf = ({ db }: CoreDeps, { organization }: OrgCtx, id: number) =>
  requireRole(db, organization.id, id)

type Copied = Awaited<ReturnType<typeof copyOf>> | undefined

const blank = {
  description: '',
  type: 'APPLICATION' as const,
  inherit: false,
  default_star: false,
}

function toRoleFacts(body: NewRole, copied: Copied) {
  const like = copied ?? blank
  return {
    name: body.name,
    label: body.label,
    description: body.description ?? like.description,
    type: body.type ?? like.type,
    enabled: body.enabled ?? true,
    inherit: body.inherit ?? like.inherit,
    default_star: body.defaultStar ?? like.default_star,
    owner: 'ORGANIZATION' as const,
  }
}

type Holders = Awaited<ReturnType<typeof holdersOfRole>>
function checkRoleUnused(label: string, { groups, people }: Holders) {
  if (groups.length === 0) return
  const names = groups.map((group) => group.label).join(', ')
  const message = `${people} people have "${label}" through ${names}; take it from them first, or delete it with force`
  throw failure(coreContract, 'in_use', { message, people, groups })
}
