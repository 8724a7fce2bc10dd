import type { Derived, Json, Tree } from '../columns.ts'
import type { ColumnType } from 'kysely'

export type DeviceTable = {
  id: string
  organization: string
  realm: string
  label: string
  description: string
  serial_number: string
  preset_id: string | null
  tags: string[]
  attributes: Json<Tree>
  groups: number[]
  created_at: Date
  updated_at: Date
  connected: boolean
  last_connection_at: Date | null
  configuration_sent: boolean
  configuration_applied: boolean
  configuration_error: string | null
  last_configuration_at: Date | null
  /** Set while the device is in the trash. */
  deleted_at: ColumnType<Date | null, Date | null | undefined>
  deleted_by: ColumnType<string | null, string | null | undefined>
  search_text: Derived<string>
  search_beginnings: Derived<string>
  configuration_failed: Derived<boolean>
  lat: Derived<number | null>
  lon: Derived<number | null>
}

export type DevicesTables = {
  device: DeviceTable
  device_renamed: { device_id: string }
}
