import type { Generated } from 'kysely'

/** A connection of a device to a process; the connection of the highest epoch is the device's. */
type LineTable = {
  device_id: string
  client_id: string
  /** Number of the process. */
  node: number
  epoch: Generated<number>
  ip: string | null
  since: Date
  /** Time at which the connection, or its process, was lost. */
  lost_at: Date | null
  /** Time from which a lost line counts no more. */
  due: Date | null
}
export type LineDb = { line: LineTable }
