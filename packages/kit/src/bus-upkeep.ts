import { type QueryExecutorProvider, sql } from 'kysely'
import { cleanupJobs } from './job-store.ts'
import { laneAt } from './lanes.ts'
import { startRounds } from './rounds.ts'

const atOnce = 10_000
const everyMs = 3_600_000

/** Starts the hourly cleanup of seen events and old jobs. Several processes may run it at once. */
export function startBusUpkeep(db: QueryExecutorProvider, onError: (error: unknown) => void) {
  const round = async () => {
    await cleanupSeenEvents(db)
    await cleanupJobs(db)
  }
  return startRounds(everyMs, round, onError)
}

/**
 * Deletes events that are older than a day and that all consumers of their topic have seen; returns
 * the number deleted. A topic without consumers counts as seen.
 */
export async function cleanupSeenEvents(db: QueryExecutorProvider) {
  let deleted = 0
  for (let some = atOnce; some === atOnce; deleted += some) some = await deleteSome(db)
  return deleted
}

async function deleteSome(db: QueryExecutorProvider) {
  const { numAffectedRows = 0n } = await sql`
    delete from bus.event where (topic, lane, id) in (
      select e.topic, e.lane, e.id from bus.event e
      left join (
        select topic, ${sql.raw(laneAt('place'))} as lane, min(one) as seen
        from bus.cursor, unnest(seen) with ordinality as each(one, place) group by topic, place) c
        using (topic, lane)
      where e.at < now() - interval '1 day' and (c.seen is null or e.id <= c.seen)
      limit ${atOnce} for update of e skip locked)`.execute(db)
  return Number(numAffectedRows)
}
