import { coreContract } from '@longreach/core/contract'
import type { Event } from '@longreach/kit/contract'
import { on, onMany, publish } from '@longreach/kit/events'
import { deviceStateEvents } from './device-state-contract.ts'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import { lockDevices, updateDevice } from './device-store.ts'
import { purgeOrganizations } from './purged-organization.ts'

/** Consumers of facts of devices that other services own: line, configuration, groups. */
export const deviceConsumers = () => [
  onDevices(
    deviceStateEvents.deviceConnection,
    ({ deviceId, connected, at }, tx: Kysely<MappingsDb>) =>
      updateDevice(tx, deviceId, { connected, last_connection_at: new Date(at) }),
  ),
  onDevices(
    deviceStateEvents.configurationStatus,
    ({ deviceId, sent, applied, error, at }, tx: Kysely<MappingsDb>) =>
      updateDevice(tx, deviceId, {
        configuration_sent: sent,
        configuration_applied: applied,
        configuration_error: error,
        last_configuration_at: new Date(at),
      }),
  ),
  onDevices(
    coreContract.events.deviceGroupsChanged,
    async ({ deviceId, groups }, tx: Kysely<MappingsDb>) => {
      await updateDevice(tx, deviceId, { groups })
      await publish(tx, mappingsContract.events.deviceChanged, {
        deviceId,
        configurationChanged: false,
      })
    },
  ),
  on(coreContract.events.organizationPurged, async ({ organizations }, tx: Kysely<MappingsDb>) =>
    purgeOrganizations(tx, organizations),
  ),
]

/** An event about devices: all that are told of together are held before the first is changed. */
const onDevices = <T extends z.ZodType<{ deviceId: string }>>(
  event: Event<T>,
  consume: (told: z.output<T>, tx: Kysely<MappingsDb>) => Promise<unknown>,
) =>
  onMany(event, async (all, tx: Kysely<MappingsDb>) => {
    await lockDevices(
      tx,
      all.map(({ deviceId }) => deviceId),
    )
    for (const one of all) await consume(one, tx)
  })
