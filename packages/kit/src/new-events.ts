import type { Pool } from 'pg'

const lastNumber = {
  name: 'kit-last-event-number',
  text: 'select last_value + is_called::int as number from bus.event_id_seq',
}
/** Transactions hold the lock of a lane from before they take a number until they have committed. */
const committing = {
  name: 'kit-committing-events',
  text: `select from pg_locks where locktype = 'advisory' and classid = 7001 and granted
    and database = (select oid from pg_database where datname = current_database()) limit 1`,
}

/**
 * Check whether events may have come since the last call, without a look at each topic. After a new number it
 * answers yes until no transaction is committing events any more.
 */
export function createNewEventsCheck(pool: Pool) {
  let known: number | undefined
  let haveEnded = false
  return async () => {
    const { rows } = await pool.query<{ number: number }>(lastNumber)
    const number = rows[0]?.number
    if (number === known && haveEnded) return false
    known = number
    // Asked after the number was read: a transaction with that number or a lower one has its lock as well.
    haveEnded = (await pool.query(committing)).rowCount === 0
    return true
  }
}
