import type { ColumnType, Generated } from 'kysely'
import type { Wanted } from './imports/import-rules.ts'

/** A JSON column: written as text, so that its keys stay in their order. */
type Json<T> = ColumnType<T, string, string>
export type Tree = Record<string, unknown>
/** The database makes it of other columns. */
type Derived<T> = ColumnType<T, never, never>

export type ModelTable = {
  id: string
  organization: string
  realm: string
  name: string
  version: string
  major: number
  minor: number
  patch: number
  json: Json<Tree>
  parent_id: string | null
  /** Organizations below see it and may use it. */
  shared: boolean
  created_at: Date
  updated_at: Date
}
type ModelPathTable = {
  organization: string
  model: string
  path: string
  model_id: string
  type: string
  instance_of: string | null
  label: string
  description: string
  unit: string
  tags: string[]
  version: string
  deprecated: boolean
}
export type PresetTable = {
  id: string
  organization: string
  realm: string
  name: string
  model_id: string
  model_name: string
  model_version: string
  uuid: string
  json: Json<Tree>
  compiled: string
  created_at: Date
  updated_at: Date
  sub_orgs_enabled_to_view: boolean
}
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
export type SegmentTable = {
  id: string
  organization: string
  name: string
  owner: string
  owner_name: string
  shared: boolean
  kind: 'dynamic' | 'picked'
  question: Json<Tree>
  created_at: Date
  updated_at: Date
}
type DeviceImportTable = {
  id: Generated<number>
  organization: string
  sub: string
  name: string
  job: ColumnType<string | null, string | null | undefined>
  created_at: Date
}
type DeviceImportLineTable = {
  import_id: number
  line: number
  device_id: string
  wanted: Json<Wanted>
  outcome: 'WAITING' | 'MADE' | 'PRESENT' | 'FAILED'
  problem: string | null
  key: Buffer | null
}
export type MappingsDb = {
  device_import: DeviceImportTable
  device_import_line: DeviceImportLineTable
  model: ModelTable
  model_path: ModelPathTable
  preset: PresetTable
  device: DeviceTable
  device_renamed: { device_id: string }
  segment: SegmentTable
  segment_device: { segment_id: string; device_id: string }
}
