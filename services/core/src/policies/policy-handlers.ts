import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { canDevice } from '@longreach/authorization/can'
import type { Kysely } from 'kysely'
import { mustBeFree, mustOutrank } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { findMember } from '../people/user-store.ts'
import { tellGroups } from './device-groups.ts'
import type { policyEndpoints, SecurityPolicy } from './policy-contract.ts'
import {
  deletePolicy,
  deletePolicyDevice,
  deleteUserPolicies,
  devicesIn,
  findDevice,
  groupsOfDevice,
  insertPolicy,
  insertPolicyDevice,
  insertUserPolicies,
  policiesByIds,
  type PolicyRow,
  searchPolicies,
} from './policy-store.ts'

type PolicyHandlers = Pick<Handlers<typeof coreContract>, keyof typeof policyEndpoints>
const shown = ({ id, name, type }: PolicyRow): SecurityPolicy => ({ id, name, type })
const missing = (what: string, id: number | string) =>
  failure(coreContract, 'not_found', { message: `There is no ${what} ${id} in this organization` })

export const policyHandlers = (deps: CoreDeps): PolicyHandlers => ({
  ...groups(deps),
  ...devices(deps),
  ...people(deps),
})

const groups = ({ db }: CoreDeps) =>
  ({
    securityPolicies: async ({ query }, { organization }) => {
      const { rows, total } = await searchPolicies(db, organization.id, query)
      return toContentPage(rows.map(shown), total, query)
    },

    createSecurityPolicy: async ({ body: { name } }, { organization }) => {
      const made = await insertPolicy(db, organization.id, {
        name,
        type: 'STANDARD',
        deviceId: null,
      })
      if (made) return shown(made)
      const message = `There is a device group "${name}" already`
      throw failure(coreContract, 'name_taken', { field: 'name', message })
    },

    deleteSecurityPolicy: async ({ params: { policy } }, { organization: { id, resourceId } }) => {
      await db.transaction().execute(async (tx) => {
        await standardIn(tx, id, policy)
        const inside = await devicesIn(tx, policy)
        const held = await tx
          .selectFrom('user_policy')
          .select('user_id')
          .where('policy_id', '=', policy)
          .executeTakeFirst()
        if (held) {
          const message = 'People are restricted to this group; take it from them first'
          throw failure(coreContract, 'in_use', { message })
        }
        await deletePolicy(tx, id, policy)
        for (const device of inside) await tellGroups(tx, device)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },
  }) satisfies Partial<PolicyHandlers>

async function standardIn(db: Kysely<CoreDb>, organizationId: number, id: number) {
  const [policy] = await policiesByIds(db, organizationId, [id])
  if (!policy) throw missing('device group', id)
  if (policy.type === 'STANDARD') return policy
  const message = `"${policy.name}" is kept by the product and follows the devices`
  throw failure(coreContract, 'made_by_system', { message })
}

/** A device that the caller may see, here or below. */
async function mustSee(db: Kysely<CoreDb>, { organization, capability }: OrgCtx, deviceId: string) {
  const device = await findDevice(db, organization.id, deviceId)
  const inGroups = device ? await groupsOfDevice(db, deviceId) : []
  if (!device || !canDevice(capability, 'read', inGroups)) throw missing('device', deviceId)
}

const devices = ({ db }: CoreDeps) =>
  ({
    addPolicyDevice: async ({ params: { policy, device } }, ctx) => {
      await db.transaction().execute(async (tx) => {
        await standardIn(tx, ctx.organization.id, policy)
        await mustSee(tx, ctx, device)
        if (await insertPolicyDevice(tx, policy, device)) await tellGroups(tx, device)
      })
    },

    removePolicyDevice: async ({ params: { policy, device } }, ctx) => {
      await db.transaction().execute(async (tx) => {
        await standardIn(tx, ctx.organization.id, policy)
        await mustSee(tx, ctx, device)
        if (!(await deletePolicyDevice(tx, policy, device))) throw missing('device', device)
        await tellGroups(tx, device)
      })
    },
  }) satisfies Partial<PolicyHandlers>

const people = (deps: CoreDeps) =>
  ({
    userPolicies: async ({ params: { user }, query }, { organization }) => {
      if (!(await findMember(deps.db, organization.id, user))) throw missing('person', user)
      const asked = { ...query, userId: user }
      const { rows, total } = await searchPolicies(deps.db, organization.id, asked)
      return toContentPage(rows.map(shown), total, query)
    },

    addUserPolicies: async ({ params: { user, policies } }, ctx) => {
      const { id, resourceId } = ctx.organization
      const person = await findMember(deps.db, id, user)
      if (!person) throw missing('person', user)
      // One more group widens what somebody who has some already sees.
      mustBeFree(ctx)
      await mustOutrank(deps, ctx, person)
      const known = await policiesByIds(deps.db, id, policies)
      const unknown = policies.find((one) => !known.some((policy) => policy.id === one))
      if (unknown !== undefined) throw missing('device group', unknown)
      await deps.db.transaction().execute(async (tx) => {
        await insertUserPolicies(tx, id, user, policies)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },

    removeUserPolicies: async ({ params: { user, policies } }, ctx) => {
      const { id, resourceId } = ctx.organization
      const person = await findMember(deps.db, id, user)
      if (!person) throw missing('person', user)
      mustBeFree(ctx)
      await mustOutrank(deps, ctx, person)
      await deps.db.transaction().execute(async (tx) => {
        await deleteUserPolicies(tx, id, user, policies)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },
  }) satisfies Partial<PolicyHandlers>
