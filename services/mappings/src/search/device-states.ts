import { type RawBuilder, sql } from 'kysely'
import type { DeviceState } from './state-contract.ts'

const conditions: Record<DeviceState, RawBuilder<boolean>> = {
  online: sql<boolean>`device.connected`,
  offline: sql<boolean>`(not device.connected and device.last_connection_at is not null)`,
  never: sql<boolean>`(not device.connected and device.last_connection_at is null)`,
  error: sql<boolean>`device.configuration_failed`,
  pending: sql<boolean>`(device.preset_id is not null and not device.configuration_applied
    and not device.configuration_failed)`,
  withoutPreset: sql<boolean>`(device.preset_id is null)`,
}

/** SQL condition for devices in a state. */
export const stateCondition = (state: DeviceState): RawBuilder<boolean> => conditions[state]
