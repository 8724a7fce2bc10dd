import type { Pool } from 'pg'
import { isFreeJob } from './job-store.ts'

const news = {
  name: 'kit-news',
  text: `select last_value + is_called::int as number,
    exists (select from bus.job where ${isFreeJob}) as "hasJobs" from bus.event_id_seq`,
}
/** Transactions hold the lock of a lane from before they take a number until they have committed. */
const committing = {
  name: 'kit-committing-events',
  text: `select from pg_locks where locktype = 'advisory' and classid = 7001 and granted
    and database = (select oid from pg_database where datname = current_database()) limit 1`,
}

/**
 * Check whether events may have come since the last call, without a look at each topic, and whether there are jobs
 * that nobody works on. After a new number it says yes to events until no transaction is committing any more.
 */
export function createNewsCheck(pool: Pool) {
  let known: number | undefined
  let haveEnded = false
  const hasEventsSince = async (number: number | undefined) => {
    if (number === known && haveEnded) return false
    known = number
    // A question that fails is asked again: what it said about an earlier number does not count for this one.
    haveEnded = false
    // Asked after the number was read: a transaction with that number or a lower one has its lock as well.
    haveEnded = (await pool.query(committing)).rowCount === 0
    return true
  }
  return async () => {
    const { rows } = await pool.query<{ number: number; hasJobs: boolean }>(news)
    const [found] = rows
    return { hasEvents: await hasEventsSince(found?.number), hasJobs: found?.hasJobs === true }
  }
}
