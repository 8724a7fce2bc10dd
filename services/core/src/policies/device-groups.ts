import { type Consumer, on, publish } from '@longreach/kit/events'
import { mappingsContract } from '@longreach/mappings/contract'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import {
  groupsOfDevice,
  insertIntoAllDevices,
  insertPolicy,
  insertPolicyDevice,
} from './policy-store.ts'

/** Tell everybody which groups a device is in now. */
export const tellGroups = async (tx: Kysely<CoreDb>, deviceId: string) =>
  publish(tx, coreContract.events.deviceGroupsChanged, {
    deviceId,
    groups: await groupsOfDevice(tx, deviceId),
  })

/** Every device has a group of its own, and is in the group of all devices here and above. */
export const deviceConsumers = (): Consumer<CoreDb>[] => [
  on(
    mappingsContract.events.deviceCreated,
    async ({ deviceId, label, orgResourceId }, tx: Kysely<CoreDb>) => {
      const organization = await tx
        .selectFrom('organization')
        .select('id')
        .where('resource_id', '=', orgResourceId)
        .executeTakeFirst()
      if (!organization) return
      const { id } = organization
      await tx
        .insertInto('device')
        .values({ id: deviceId, label, organization_id: id })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ label, organization_id: id }))
        .execute()
      const own = await insertPolicy(tx, id, { name: label, type: 'SELF_DEVICE', deviceId })
      if (own) await insertPolicyDevice(tx, own.id, deviceId)
      await insertIntoAllDevices(tx, id, deviceId)
      await tellGroups(tx, deviceId)
    },
  ),
  on(mappingsContract.events.deviceDeleted, async ({ deviceId }, tx: Kysely<CoreDb>) => {
    await tx.deleteFrom('security_policy').where('device_id', '=', deviceId).execute()
    await tx.deleteFrom('device').where('id', '=', deviceId).execute()
  }),
]
