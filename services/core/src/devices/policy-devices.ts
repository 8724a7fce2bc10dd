import type { Action } from '@longreach/authorization/permissions'
import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publishAll } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { toCoreDevice } from './device-access.ts'
import { devicesInSight, listDevices } from './device-store.ts'
import {
  notInOrganization,
  requirePolicy,
  requireStandardPolicy,
} from '../policies/policy-access.ts'
import type { policyDeviceEndpoints } from './policy-device-contract.ts'
import { ownGroupsInside } from '../policies/device-own-group.ts'
import {
  deletePolicyDevices,
  groupsOfDevices,
  insertPolicyDevices,
} from '../policies/policy-store.ts'
import { actionsOfPolicy } from '../policies/policy-use-store.ts'

type Keys = keyof typeof policyDeviceEndpoints

/** The devices of a device group: read, put in, taken out. */
export const policyDevices = ({ db }: CoreDeps): Pick<Handlers<typeof coreContract>, Keys> => ({
  policyDevices: async ({ params: { policy }, query }, ctx) => {
    await requirePolicy(db, ctx.organization.id, policy)
    // A group may hold devices of organizations below too.
    const visible = devicesInSight(ctx, 'read')
    const asked = { ...query, securityPolicyGroupId: policy }
    const { rows, total } = await listDevices(db, visible, asked)
    return toContentPage(rows.map(toCoreDevice), total, query)
  },

  policiesInside: async ({ params: { policy }, query }, ctx) => {
    await requirePolicy(db, ctx.organization.id, policy)
    const asked = { ...query, inside: policy, visible: devicesInSight(ctx, 'read') }
    const { rows, total } = await ownGroupsInside(db, asked)
    return toContentPage(rows, total, query)
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
    const { name } = await requireStandardPolicy(tx, id, policy)
    await checkDevicesVisible(tx, ctx, [...add, ...remove])
    await checkMayGrantOn(tx, ctx, { actions: await actionsOfPolicy(tx, policy), add })
    const gone = await deletePolicyDevices(tx, policy, remove)
    const absent = remove.find((device) => !gone.includes(device))
    if (absent !== undefined) throw notInOrganization('device', absent)
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

/** Those of these devices on which the caller may do `action`, here or below. */
async function inSight(
  tx: Kysely<CoreDb>,
  ctx: OrgCtx,
  { ids, action }: { ids: readonly string[]; action: Action },
) {
  const rows = await tx
    .selectFrom('device as d')
    .select('d.id')
    .where(sql<boolean>`d.id = any(${[...ids]}::text[])`)
    .where(devicesInSight(ctx, action))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Every one of them is a device that the caller sees, here or below. */
async function checkDevicesVisible(tx: Kysely<CoreDb>, ctx: OrgCtx, ids: readonly string[]) {
  const seen = await inSight(tx, ctx, { ids, action: 'read' })
  const unseen = ids.find((id) => !seen.has(id))
  if (unseen !== undefined) throw notInOrganization('device', unseen)
}

type Given = { actions: string[]; add: string[] }

/** Into a group goes what its roles may then be used on: nobody gives a right that they do not have there. */
async function checkMayGrantOn(tx: Kysely<CoreDb>, ctx: OrgCtx, { actions, add }: Given) {
  if (add.length === 0) return
  for (const action of actions) {
    const held = await inSight(tx, ctx, { ids: add, action: action as Action })
    const device = add.find((one) => !held.has(one))
    if (device === undefined) continue
    const message = `Roles of this group give devices:${action}, which you do not have on device ${device}`
    throw failure(coreContract, 'beyond_own_rights', { message, deviceId: device })
  }
}
