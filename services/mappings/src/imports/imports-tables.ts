import type { Json } from '../columns.ts'
import type { ColumnType, Generated } from 'kysely'
import type { Wanted } from './import-rules.ts'

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

export type ImportsTables = {
  device_import: DeviceImportTable
  device_import_line: DeviceImportLineTable
}
