import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findUserBySub } from '../people/user-store.ts'
import type { organizationEndpoints } from './organization-contract.ts'
import { beyond, makeOrganization, refuseHostname } from './organization-making.ts'
import { beyondParent, factsOf, shown } from './organization-rules.ts'
import {
  closeOrganization,
  countDependents,
  findOrganization,
  findRealm,
  listMemberships,
  lockOrganization,
  searchBelow,
  switchOffBelow,
  updateOrganization,
} from './organization-store.ts'
import { makeRealm, makeRoot } from './root-making.ts'

type OrganizationHandlers = Pick<Handlers<typeof coreContract>, keyof typeof organizationEndpoints>
const gone = () => failure(coreContract, 'not_found', { message: 'No such organization' })

export const organizationHandlers = (deps: CoreDeps): OrganizationHandlers => ({
  ...reading(deps),
  ...making(deps),
  ...changing(deps),
})

const reading = ({ db }: CoreDeps) =>
  ({
    loginInfo: async ({ query: { hostname, realm } }) => {
      const host = hostname.toLowerCase().replace(/:\d+$/, '')
      const realmName = await findRealm(db, host, realm)
      if (realmName === undefined) {
        const message = `No organization is known for ${host}; name the realm`
        throw failure(coreContract, 'no_such_host', { hostname: host, message })
      }
      return { realmName }
    },

    mine: async (_, { caller }) => {
      const user = await findUserBySub(db, caller.sub)
      const rows = user ? await listMemberships(db, user.id) : []
      return rows.map((row) => shown(row))
    },

    organization: async (_, { organization }) => {
      const row = await findOrganization(db, organization.id)
      if (!row) throw gone()
      return shown(row)
    },

    organizations: async ({ query }, { caller, organization }) => {
      const user = await findUserBySub(db, caller.sub)
      if (!user) return toContentPage([], 0, query)
      const asked = { ...query, userId: user.id, organizationId: organization.id }
      const { rows, total } = await searchBelow(db, asked)
      return toContentPage(
        rows.map((row) => shown(row)),
        total,
        query,
      )
    },
  }) satisfies Partial<OrganizationHandlers>

const making = (deps: CoreDeps) =>
  ({
    createRoot: async ({ body: { owner, ...organization } }, { now }) => {
      if (owner) return shown((await makeRoot(deps, { organization, owner, now })).row, false)
      await makeRealm(deps, organization)
      const making = { parent: null, body: organization, addDefaultRoles: true, now }
      return shown(await deps.db.transaction().execute((tx) => makeOrganization(tx, making)), false)
    },

    createOrganization: async ({ query, body }, { organization, below, now }) => {
      const { addDefaultRoles } = query
      const row = await deps.db.transaction().execute(async (tx) => {
        const parent = await lockOrganization(tx, organization.id)
        if (!parent) throw gone()
        return makeOrganization(tx, { parent, body, addDefaultRoles, now })
      })
      return shown(row, below)
    },
  }) satisfies Partial<OrganizationHandlers>

const changing = ({ db }: CoreDeps) =>
  ({
    updateOrganization: async ({ body }, { organization: { id, resourceId }, now }) => {
      const row = await db.transaction().execute(async (tx) => {
        const row = await lockOrganization(tx, id)
        if (!row) throw gone()
        const parent = row.parent === null ? undefined : await findOrganization(tx, row.parent)
        const field = beyondParent(body, parent)
        if (field !== undefined) throw beyond(field)
        const change = { ...factsOf(body), updated_at: now }
        const updated = await updateOrganization(tx, id, change).catch(refuseHostname)
        if (body.dataEnabled === false) await switchOffBelow(tx, id, { data_enabled: false })
        if (body.vpnEnabled === false) await switchOffBelow(tx, id, { vpn_enabled: false })
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
        return updated
      })
      return shown(row)
    },

    deleteOrganization: async (_, { organization: { id, resourceId }, now }) => {
      await db.transaction().execute(async (tx) => {
        const row = await lockOrganization(tx, id)
        if (!row) throw gone()
        if (row.parent === null) {
          const message = 'A root organization holds the whole installation and cannot be deleted'
          throw failure(coreContract, 'is_root', { message })
        }
        const { organizations, devices } = await countDependents(tx, id)
        if (organizations + devices > 0) {
          const message = `It still has ${organizations} organizations and ${devices} devices`
          throw failure(coreContract, 'in_use', { organizations, devices, message })
        }
        await closeOrganization(tx, id, now)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },
  }) satisfies Partial<OrganizationHandlers>
