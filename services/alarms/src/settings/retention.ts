import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { keepDays } from './contract.ts'

/** Closed alarms that are deleted in one transaction. */
const batch = 1_000
/** Transactions of one run, so that other work of the hour comes too. */
const mostBatches = 500

/**
 * Deletes alarms that have been closed for longer than their organization keeps them, with their history, in
 * small transactions; open ones stay, however old. Returns their number.
 */
export async function cleanupClosedAlarms(
  { db, now, log }: Pick<AlarmsDeps, 'db' | 'now' | 'log'>,
  size = batch,
): Promise<number> {
  let total = 0
  for (let round = 0; round < mostBatches; round += 1) {
    const deleted = await deleteSome(db, now(), size)
    total += deleted
    if (deleted < size) break
  }
  if (total > 0) log.info({ alarms: total }, 'closed alarms were deleted by their age')
  return total
}

/** Days of an organization: its own, else those of the nearest one above. */
const daysSql = sql<number>`coalesce((select k.keep_days from alarms.alarm_settings k
  where k.keep_days is not null and (o.org = k.org or starts_with(o.org, k.org || '.'))
  order by length(k.org) desc limit 1), ${sql.lit(keepDays.usual)})`

async function deleteSome(db: Kysely<AlarmsDb>, now: Date, size: number) {
  const newest = new Date(now.getTime() - keepDays.least * 86_400_000)
  const { rows } = await sql<{ id: string }>`
    with least as (select least(${sql.lit(keepDays.usual)}, min(keep_days)) as days from alarms.alarm_settings)
    delete from alarms.occurrence where id = any(array(
      select o.id from alarms.occurrence o, least
      where o.closed_t is not null and not o.open and o.closed_t < ${newest}::timestamptz
        and o.closed_t < ${now}::timestamptz - make_interval(days => least.days)
        and o.closed_t < ${now}::timestamptz - make_interval(days => ${daysSql})
      order by o.closed_t limit ${sql.lit(size)} for update of o skip locked))
    returning id`.execute(db)
  return rows.length
}
