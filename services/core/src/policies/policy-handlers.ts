import { can } from '@longreach/authorization/can'
import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { publishGroups } from './device-groups.ts'
import { requirePolicy, toPolicy, requireStandardPolicy } from './policy-access.ts'
import type { policyEndpoints } from './policy-contract.ts'
import { policyPeople } from './policy-people.ts'
import {
  deletePolicy,
  devicesIn,
  insertPolicy,
  isNameTaken,
  lockNames,
  renamePolicy,
  searchPolicies,
} from './policy-store.ts'
import { countPolicyDevices, countUse, listUse } from './policy-use-store.ts'

type PolicyHandlers = Pick<Handlers<typeof coreContract>, keyof typeof policyEndpoints>

export const policyHandlers = (deps: CoreDeps): PolicyHandlers => ({
  ...policyReadHandlers(deps),
  ...policyChangeHandlers(deps),
  ...policyPeople(deps),
})

const policyReadHandlers = ({ db }: CoreDeps) =>
  ({
    securityPolicies: async ({ query }, { organization }) => {
      const { rows, total } = await searchPolicies(db, organization.id, query)
      if (!query.counts) return toContentPage(rows.map(toPolicy), total, query)
      const counts = await countUse(
        db,
        rows.map(({ id }) => id),
      )
      return toContentPage(
        rows.map((row) => ({ ...toPolicy(row), ...counts.get(row.id) })),
        total,
        query,
      )
    },

    securityPolicy: async ({ params: { policy } }, { organization }) =>
      toPolicy(await requirePolicy(db, organization.id, policy)),

    policyUse: async ({ params: { policy } }, { organization, capability }) => {
      const found = await requirePolicy(db, organization.id, policy)
      const { people, userGroups, roles } = await listUse(db, policy)
      return {
        ...toPolicy(found),
        devices: await countPolicyDevices(db, policy),
        people: can(capability, 'users', 'read') ? people : [],
        userGroups: can(capability, 'usergroups', 'read') ? userGroups : [],
        roles: can(capability, 'roles', 'read') ? roles : [],
      }
    },
  }) satisfies Partial<PolicyHandlers>

const policyChangeHandlers = ({ db }: CoreDeps) =>
  ({
    createSecurityPolicy: async ({ body: { name } }, ctx) =>
      db.transaction().execute(async (tx) => {
        const { id } = ctx.organization
        await checkPolicyNameFree(tx, id, { name })
        const made = await insertPolicy(tx, id, { name, type: 'STANDARD', deviceId: null })
        if (!made) throw policyNameTaken(name)
        const what = { resource: 'devicegroups', action: 'create', id: made.id, label: name }
        await recordChange(tx, ctx, { ...what, after: { name } })
        return toPolicy(made)
      }),

    updateSecurityPolicy: async ({ params: { policy }, body: { name } }, ctx) =>
      db.transaction().execute(async (tx) => {
        const { id } = ctx.organization
        const before = await requireStandardPolicy(tx, id, policy)
        await checkPolicyNameFree(tx, id, { name, except: policy })
        await renamePolicy(tx, id, { id: policy, name })
        const what = { resource: 'devicegroups', action: 'update', id: policy, label: name }
        await recordChange(tx, ctx, { ...what, before: { name: before.name }, after: { name } })
        return toPolicy({ ...before, name })
      }),

    deleteSecurityPolicy: async ({ params: { policy } }, ctx) => {
      const { id, resourceId } = ctx.organization
      await db.transaction().execute(async (tx) => {
        const { name } = await requireStandardPolicy(tx, id, policy)
        await checkPolicyUnused(tx, policy)
        const inside = await devicesIn(tx, policy)
        await deletePolicy(tx, id, policy)
        for (const device of inside) await publishGroups(tx, device)
        const what = { resource: 'devicegroups', action: 'delete', id: policy, label: name }
        await recordChange(tx, ctx, { ...what, before: { name, devices: inside } })
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },
  }) satisfies Partial<PolicyHandlers>

const policyNameTaken = (name: string) =>
  failure(coreContract, 'name_taken', {
    field: 'name',
    message: `There is a device group "${name}" already; every device has one of its own name too`,
  })

/** A name stands for one group: clients look groups up by it. */
async function checkPolicyNameFree(
  tx: Kysely<CoreDb>,
  organizationId: number,
  { name, except }: { name: string; except?: number },
) {
  await lockNames(tx, organizationId)
  if (await isNameTaken(tx, organizationId, { name, except })) throw policyNameTaken(name)
}

/** Without the group its people would see every device, and its roles would lose a rule unseen. */
async function checkPolicyUnused(tx: Kysely<CoreDb>, policy: number) {
  const { people, userGroups, roles } = await listUse(tx, policy)
  const users = [
    ...people.map(({ username }) => username),
    ...userGroups.map(({ label }) => label),
    ...roles.map(({ label }) => label),
  ]
  if (users.length === 0) return
  const named = users.slice(0, 5).join(', ')
  const more = users.length > 5 ? ` and ${users.length - 5} more` : ''
  const message = `It is used by ${named}${more}; take it from them first`
  throw failure(coreContract, 'in_use', { message, usedBy: users.slice(0, 100) })
}
