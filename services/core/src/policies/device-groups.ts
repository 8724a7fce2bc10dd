import { type Consumer, on, onMany, publish, publishAll } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import { deviceEvents } from './device-event-contract.ts'
import { deleteDevice, purgeDevice, restoreDevice } from './device-life.ts'
import { removeFromForeignGroups, ownGroup, renameOwnGroup } from './device-own-group.ts'
import {
  groupsOfDevice,
  groupsOfDevices,
  insertIntoAllDevices,
  insertPolicy,
  insertPolicyDevice,
} from './policy-store.ts'

/** Publish the groups that a device is in now. */
export const publishGroups = async (tx: Kysely<CoreDb>, deviceId: string) =>
  publish(tx, coreContract.events.deviceGroupsChanged, {
    deviceId,
    groups: await groupsOfDevice(tx, deviceId),
  })

/** The same for many devices; answers the groups of each. */
export async function publishAllGroups(tx: Kysely<CoreDb>, deviceIds: readonly string[]) {
  const groups = await groupsOfDevices(tx, deviceIds)
  const events = deviceIds.map((deviceId) => ({ deviceId, groups: groups.get(deviceId) ?? [] }))
  await publishAll(tx, coreContract.events.deviceGroupsChanged, events)
  return groups
}

export type Placed = { deviceId: string; label: string; orgResourceId: string }

/** Put a device where it is now: with a group of its own, in the groups of all devices here and above. */
async function placeDevice(tx: Kysely<CoreDb>, { deviceId, label, orgResourceId }: Placed) {
  const organization = await tx
    .selectFrom('organization')
    .select('id')
    .where('resource_id', '=', orgResourceId)
    .executeTakeFirst()
  if (!organization) return
  const { id } = organization
  const before = await tx
    .selectFrom('device')
    .select('organization_id')
    .where('id', '=', deviceId)
    .forUpdate()
    .executeTakeFirst()
  if (before && before.organization_id !== id) await removeFromForeignGroups(tx, deviceId, id)
  await tx
    .insertInto('device')
    .values({ id: deviceId, label, organization_id: id })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ label, organization_id: id }))
    .execute()
  const fresh = await insertPolicy(tx, id, { name: label, type: 'SELF_DEVICE', deviceId })
  const own = fresh ?? (await ownGroup(tx, deviceId))
  if (own) await insertPolicyDevice(tx, own.id, deviceId)
  await insertIntoAllDevices(tx, id, deviceId)
  await publishGroups(tx, deviceId)
}

type Moved = { deviceId: string; label: string; from: string; to: string }

/** Put a moved device into the groups of its new organization, and publish changed rights for both. */
export async function placeMovedDevice(tx: Kysely<CoreDb>, { deviceId, label, from, to }: Moved) {
  await placeDevice(tx, { deviceId, label, orgResourceId: to })
  for (const resourceId of [from, to]) {
    await publish(tx, coreContract.events.permissionsChanged, { resourceId })
  }
}

/** Those of the devices that core has already. */
async function knownOf(tx: Kysely<CoreDb>, ids: readonly string[]) {
  const rows = await tx.selectFrom('device').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Every device has a group of its own, and is in the group of all devices here and above. */
export const deviceConsumers = (): Consumer<CoreDb>[] => [
  onMany(deviceEvents.deviceCreated, async (created, tx: Kysely<CoreDb>) => {
    // In the order in which an import places them, so that the two never wait for each other.
    const inOrder = created.toSorted((one, other) => (one.deviceId < other.deviceId ? -1 : 1))
    // One that stands here already may have moved since it was made.
    const known = await knownOf(
      tx,
      inOrder.map(({ deviceId }) => deviceId),
    )
    for (const one of inOrder) if (!known.has(one.deviceId)) await placeDevice(tx, one)
  }),
  on(deviceEvents.deviceMoved, async (moved, tx: Kysely<CoreDb>) => {
    const { deviceId, from } = moved
    const at = await tx
      .selectFrom('device as d')
      .innerJoin('organization as o', 'o.id', 'd.organization_id')
      .select('o.resource_id')
      .where('d.id', '=', deviceId)
      .executeTakeFirst()
    // Elsewhere it is where this move, or a later one, has put it already.
    if (at?.resource_id === from) await placeMovedDevice(tx, moved)
  }),
  on(deviceEvents.deviceChanged, async ({ deviceId, label }, tx: Kysely<CoreDb>) => {
    if (label !== undefined) await renameOwnGroup(tx, deviceId, label)
  }),
  on(deviceEvents.deviceLife, async (told, tx: Kysely<CoreDb>) => {
    if (told.state === 'deleted') await deleteDevice(tx, told.deviceId)
    if (told.state === 'purged') await purgeDevice(tx, told.deviceId)
    if (told.state !== 'restored') return
    await placeDevice(tx, told)
    await restoreDevice(tx, told.deviceId)
    await publishGroups(tx, told.deviceId)
  }),
]
