import type { Pool } from 'pg'

const look = {
  name: 'kit-new-events',
  text: `select last_value as number, pg_snapshot_xmin(now)::text::bigint as oldest,
    pg_snapshot_xmax(now)::text::bigint as next from bus.event_id_seq, pg_current_snapshot() as now`,
}
/** Last number given to an event, the oldest transaction under way, and the next one to come. */
type Look = { number: number; oldest: number; next: number }

/**
 * Check whether events may have come since the last call, without a look at each topic. After a new number it
 * answers yes until all transactions that may have it have ended.
 */
export function createNewEventsCheck(pool: Pool) {
  let known: number | undefined
  /** Transactions before this one may have a known number. */
  let numbered: number | undefined
  let haveEnded = false
  return async () => {
    const { rows } = await pool.query<Look>(look)
    for (const { number, oldest, next } of rows) {
      if (number !== known) {
        ;[known, numbered, haveEnded] = [number, undefined, false]
        return true
      }
      if (haveEnded) return false
      numbered ??= next
      haveEnded = oldest >= numbered
    }
    return true
  }
}
