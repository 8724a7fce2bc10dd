import type { Selectable } from 'kysely'

type WriteBackTable = {
  device_id: string
  path: string
  org: string
  id: string
  value: unknown
  held: unknown
  by_sub: string
  by_name: string
  origin: unknown
  at: Date
  due: Date
}
export type WriteBackDb = { write_back: WriteBackTable }
export type WriteBackRow = Selectable<WriteBackTable>
