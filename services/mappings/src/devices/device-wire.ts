import { attributesInSight } from '@longreach/authorization/alarm-visibility'
import type { Rights } from '../reach.ts'
import type { Device } from '../search/device-fields-contract.ts'
import type { DeviceRow } from './device-store.ts'

const ms = (time: Date | null) => time?.getTime() ?? 0

/** A device with every key that clients read, as the caller sees it. */
export function toDevice({ capability }: Rights, row: DeviceRow): Device {
  const position = positionOf(row.attributes)
  return {
    id: row.id,
    deviceId: row.id,
    realmId: row.realm,
    name: row.label,
    label: row.label,
    description: row.description,
    serialNumber: row.serial_number,
    orgResourceId: row.organization,
    deleted: row.deleted_at !== null,
    creationDate: ms(row.created_at),
    updatedAt: ms(row.updated_at),
    connected: row.connected,
    lastConnUpdateAt: ms(row.last_connection_at),
    lastConfigUpdateAt: ms(row.last_configuration_at),
    configurationSent: row.configuration_sent,
    configurationApplied: row.configuration_applied,
    configurationError: row.configuration_error,
    presetId: row.preset_id,
    presetName: row.preset_name,
    modelId: row.model_id,
    modelName: row.model_name,
    modelVersion: row.model_version,
    attributes: attributesInSight(capability, row),
    tags: row.tags,
    groups: row.groups,
    isGateway: true,
    vpnName: null,
    ...(position && { position }),
  }
}

/** The well-known attribute `geoLocation` is `[lat, lon]`. */
function positionOf({ geoLocation }: Record<string, unknown>) {
  if (!Array.isArray(geoLocation)) return undefined
  const [lat, lon] = geoLocation as unknown[]
  return typeof lat === 'number' && typeof lon === 'number' ? { lat, lon } : undefined
}
