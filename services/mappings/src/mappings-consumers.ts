import { coreContract } from '@longreach/core/contract'
import { on, publish } from '@longreach/kit/events'
import { platformContract } from '@longreach/platform/contract'
import type { Kysely } from 'kysely'
import { mappingsContract } from './contract.ts'
import type { MappingsDb } from './database.ts'
import { updateDevice } from './devices/device-store.ts'
import { purgeOrganizations } from './purged-organization.ts'

/** What others know of a device first: its line, its configuration, its groups. */
export const mappingsConsumers = () => [
  on(
    platformContract.events.deviceConnection,
    async ({ deviceId, connected, at }, tx: Kysely<MappingsDb>) => {
      await updateDevice(tx, deviceId, { connected, last_connection_at: new Date(at) })
    },
  ),
  on(
    platformContract.events.configurationStatus,
    async ({ deviceId, sent, applied, error, at }, tx: Kysely<MappingsDb>) => {
      await updateDevice(tx, deviceId, {
        configuration_sent: sent,
        configuration_applied: applied,
        configuration_error: error,
        last_configuration_at: new Date(at),
      })
    },
  ),
  on(
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
