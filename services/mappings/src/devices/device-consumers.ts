import { coreContract } from '@longreach/core/contract'
import type { Event } from '@longreach/kit/contract'
import { on, onMany, publish } from '@longreach/kit/events'
import { deviceStateEvents } from './device-state-contract.ts'
import { setAlarmCounts, setConfigurations, setConnections } from './device-status-store.ts'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import { lockDevices, updateDevice } from './device-store.ts'
import { purgeOrganizations } from './purged-organization.ts'

/** Consumers of facts of devices that other services own: line, configuration, groups. */
export const deviceConsumers = () => [
  onDevices(deviceStateEvents.deviceConnection, (all, tx) => setConnections(tx, all)),
  onDevices(deviceStateEvents.configurationStatus, (all, tx) => setConfigurations(tx, all)),
  onDevices(deviceStateEvents.alarmCounts, (all, tx) => setAlarmCounts(tx, all)),
  onDevices(coreContract.events.deviceGroupsChanged, async (all, tx) => {
    for (const { deviceId, groups } of all) {
      await updateDevice(tx, deviceId, { groups })
      await publish(tx, mappingsContract.events.deviceChanged, {
        deviceId,
        configurationChanged: false,
      })
    }
  }),
  on(coreContract.events.organizationPurged, async ({ organizations }, tx: Kysely<MappingsDb>) =>
    purgeOrganizations(tx, organizations),
  ),
]

/** Events about devices: all that are told of together are held before the first is changed. */
const onDevices = <T extends z.ZodType<{ deviceId: string }>>(
  event: Event<T>,
  consume: (told: z.output<T>[], tx: Kysely<MappingsDb>) => Promise<void>,
) =>
  onMany(event, async (all, tx: Kysely<MappingsDb>) => {
    await lockDevices(
      tx,
      all.map(({ deviceId }) => deviceId),
    )
    await consume(all, tx)
  })
