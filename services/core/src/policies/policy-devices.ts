import { canDevice } from '@longreach/authorization/can'
import type { Action } from '@longreach/authorization/permissions'
import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publishAll } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { shownDevice } from '../devices/device-access.ts'
import { devicesFor, listDevices } from '../devices/device-store.ts'
import { missing, policyIn, standardIn } from './policy-access.ts'
import type { policyEndpoints } from './policy-contract.ts'
import { deletePolicyDevices, groupsOfDevices, insertPolicyDevices } from './policy-store.ts'
import { actionsOfPolicy } from './policy-use-store.ts'

type PolicyHandlers = Pick<Handlers<typeof coreContract>, keyof typeof policyEndpoints>
type Keys = 'policyDevices' | 'changePolicyDevices' | 'addPolicyDevices' | 'removePolicyDevices'

/** Which devices a group holds. */
export const policyDevices = ({ db }: CoreDeps): Pick<PolicyHandlers, Keys> => ({
  policyDevices: async ({ params: { policy }, query }, ctx) => {
    await policyIn(db, ctx.organization.id, policy)
    // A group may hold devices of organizations below too.
    const visible = devicesFor({ ...ctx, subtree: ctx.below || ctx.subtree }, 'read')
    const asked = { ...query, securityPolicyGroupId: policy }
    const { rows, total } = await listDevices(db, visible, asked)
    return toContentPage(rows.map(shownDevice), total, query)
  },

  changePolicyDevices: async ({ params: { policy }, body: { add, remove } }, ctx) =>
    changeDevicesOf(db, ctx, { policy, add, remove }),

  addPolicyDevices: async ({ params: { policy, devices } }, ctx) =>
    changeDevicesOf(db, ctx, { policy, add: devices, remove: [] }),

  removePolicyDevices: async ({ params: { policy, devices } }, ctx) =>
    changeDevicesOf(db, ctx, { policy, add: [], remove: devices }),
})

type Change = { policy: number; add: string[]; remove: string[] }

/** Put devices into a group and take others out: all of it, or nothing. */
export const changeDevicesOf = (
  db: Kysely<CoreDb>,
  ctx: OrgCtx,
  { policy, add, remove }: Change,
): Promise<undefined> =>
  db.transaction().execute(async (tx) => {
    const { id, resourceId } = ctx.organization
    const { name } = await standardIn(tx, id, policy)
    const groups = await mustSeeAll(tx, ctx, [...add, ...remove])
    await mustHoldOn(ctx, { actions: await actionsOfPolicy(tx, policy), add, groups })
    const gone = await deletePolicyDevices(tx, policy, remove)
    const absent = remove.find((device) => !gone.includes(device))
    if (absent !== undefined) throw missing('device', absent)
    const come = await insertPolicyDevices(tx, policy, add)
    const changed = [...new Set([...gone, ...come])]
    if (changed.length === 0) return undefined
    const now = await groupsOfDevices(tx, changed)
    const events = changed.map((deviceId) => ({ deviceId, groups: now.get(deviceId) ?? [] }))
    await publishAll(tx, coreContract.events.deviceGroupsChanged, events)
    const what = { resource: 'devicegroups', action: 'update', id: policy, label: name }
    await recordChange(tx, ctx, { ...what, after: { add: come, remove: gone } })
    await publishAll(tx, coreContract.events.permissionsChanged, [{ resourceId }])
    return undefined
  })

/** Every one of them is a device that the caller sees, here or below; the groups that each is in. */
async function mustSeeAll(tx: Kysely<CoreDb>, ctx: OrgCtx, ids: readonly string[]) {
  const groups = await groupsOfDevices(tx, ids)
  const here = await tx
    .selectFrom('device as d')
    .innerJoin('organization_tree as t', 't.descendant', 'd.organization_id')
    .select('d.id')
    .where('t.ancestor', '=', ctx.organization.id)
    .where('d.id', 'in', ids.length === 0 ? [''] : [...ids])
    .execute()
  const known = new Set(here.map(({ id }) => id))
  const unseen = ids.find(
    (id) => !known.has(id) || !canDevice(ctx.capability, 'read', groups.get(id) ?? []),
  )
  if (unseen !== undefined) throw missing('device', unseen)
  return groups
}

type Given = { actions: string[]; add: string[]; groups: ReadonlyMap<string, number[]> }

/** Into a group goes what its roles may then be used on: nobody gives a right that they do not have. */
async function mustHoldOn({ capability }: OrgCtx, { actions, add, groups }: Given) {
  for (const device of add) {
    const lacking = actions.find(
      (action) => !canDevice(capability, action as Action, groups.get(device) ?? []),
    )
    if (lacking === undefined) continue
    const message = `Roles of this group give devices:${lacking}, which you do not have on device ${device}`
    throw failure(coreContract, 'beyond_own_rights', { message, deviceId: device })
  }
}
