import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publishAll } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { publishAllGroups } from '../policies/device-groups.ts'
import { placeNewDevices } from '../policies/device-placing.ts'
import { requireStandardPolicy } from '../policies/policy-access.ts'
import { groupsOfDevice, groupsOfDevices, insertPolicyDevices } from '../policies/policy-store.ts'
import { actionsOfPolicy } from '../policies/policy-use-store.ts'
import { checkPermission, contextOfAsking } from './asking-context.ts'
import { deviceFor, toDeviceInShort } from './device-access.ts'
import { placeOf } from './device-moving.ts'
import type { devicePlaceEndpoints } from './device-place-contract.ts'
import { findPlaces, holdsAll } from './place-store.ts'
import { changeDevicesOf } from './policy-devices.ts'

type Places = Pick<Handlers<typeof coreContract>, keyof typeof devicePlaceEndpoints>

/** Handlers that find and change the organization and the groups of devices for a person. */
export const devicePlaces = (deps: CoreDeps): Places => ({
  permittedDevice: async ({ params: { device: id }, body: { action, ...asking } }, now) => {
    const ctx = await contextOfAsking(deps, asking, now)
    const row = await deviceFor(deps, ctx, { id, action })
    return { ...toDeviceInShort(row), organization: await placeOf(deps, row.resource_id) }
  },

  findPlaces: async ({ body: { groups, groupIds, organizations, search, ...asking } }, now) => {
    const ctx = await contextOfAsking(deps, asking, now)
    return findPlaces(deps.db, ctx, { groups, groupIds, organizations, search })
  },

  placeDevices: async ({ body: { devices, ...asking } }, now) => {
    const ctx = await contextOfAsking(deps, asking, now)
    return deps.db.transaction().execute(async (tx) => {
      const groups = await placeAll(tx, ctx, devices)
      return devices.map(({ device }) => ({ device, groups: groups.get(device) ?? [] }))
    })
  },

  changeDeviceGroup: async ({ params: { policy, device }, body: { inside, ...asking } }, now) => {
    const ctx = await contextOfAsking(deps, asking, now)
    checkPermission(ctx, 'devicegroups:update')
    // Not in it already: nothing to do, and no fault.
    if (!inside && !(await groupsOfDevice(deps.db, device)).includes(policy)) return undefined
    const [add, remove] = inside ? [[device], []] : [[], [device]]
    return changeDevicesOf(deps.db, ctx, { policy, add, remove })
  },
})

type Db = Kysely<CoreDb>
type Made = { device: string; label: string; orgResourceId: string; groups: number[] }

/** Put devices that were made where they belong: all of them, or none. */
async function placeAll(tx: Db, ctx: OrgCtx, devices: readonly Made[]) {
  for (const [orgResourceId, some] of Map.groupBy(devices, (one) => one.orgResourceId)) {
    const placed = some.map(({ device: deviceId, label }) => ({ deviceId, label, orgResourceId }))
    await placeNewDevices(tx, orgResourceId, placed)
  }
  const groups = [...new Set(devices.flatMap((one) => one.groups))].toSorted((a, b) => a - b)
  for (const group of groups) {
    const ids = devices.flatMap((one) => (one.groups.includes(group) ? [one.device] : []))
    await putInto(tx, ctx, { devices: ids, group })
  }
  return publishAllGroups(
    tx,
    devices.map(({ device }) => device),
  )
}

async function putInto(
  tx: Db,
  ctx: OrgCtx,
  { devices, group }: { devices: string[]; group: number },
) {
  const { id, resourceId } = ctx.organization
  const { name } = await requireStandardPolicy(tx, id, group)
  checkPermission(ctx, 'devicegroups:update')
  const others = await groupsOfDevices(tx, devices)
  const actions = await actionsOfPolicy(tx, group)
  if (!devices.every((device) => holdsAll(ctx, actions, [...(others.get(device) ?? []), group]))) {
    const message = `Roles of the device group "${name}" give rights that you do not have`
    throw failure(coreContract, 'beyond_own_rights', { message })
  }
  const come = await insertPolicyDevices(tx, group, devices)
  if (come.length === 0) return
  const what = { resource: 'devicegroups', action: 'update', id: group, label: name }
  await recordChange(tx, ctx, { ...what, after: { add: come } })
  await publishAll(tx, coreContract.events.permissionsChanged, [{ resourceId }])
}
