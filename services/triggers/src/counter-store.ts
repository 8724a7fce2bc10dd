import { type Kysely, sql } from 'kysely'
import type { TriggersDb } from './database.ts'

type Db = Kysely<TriggersDb>

const minuteMs = 60_000
const keptMs = 90 * 86_400_000

type Counted = { in?: number; out?: number; throttled?: number }

/** Minute of a time. */
const minuteOf = (now: Date) => new Date(Math.floor(now.getTime() / minuteMs) * minuteMs)

/** Adds to the counters of a trigger. */
export const count = (tx: Db, id: string, now: Date, counted: Counted) =>
  tx
    .insertInto('counter')
    .values({
      trigger_id: id,
      minute: minuteOf(now),
      n_in: counted.in ?? 0,
      n_out: counted.out ?? 0,
      n_throttled: counted.throttled ?? 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['trigger_id', 'minute']).doUpdateSet({
        n_in: sql<number>`counter.n_in + excluded.n_in`,
        n_out: sql<number>`counter.n_out + excluded.n_out`,
        n_throttled: sql<number>`counter.n_throttled + excluded.n_throttled`,
      }),
    )
    .execute()

/** Runs of a trigger in the present minute. */
export async function runsThisMinute(tx: Db, id: string, now: Date) {
  const row = await tx
    .selectFrom('counter')
    .select('n_out')
    .where('trigger_id', '=', id)
    .where('minute', '=', minuteOf(now))
    .executeTakeFirst()
  return row?.n_out ?? 0
}

type Sums = { counterIn: number; counterOut: number; counterThrottled: number }

/** Sums of some triggers since a time. */
export async function sumsSince(db: Db, ids: readonly string[], since: Date) {
  const { rows } = await sql<Sums & { id: string }>`
    select trigger_id as id, sum(n_in)::int as "counterIn", sum(n_out)::int as "counterOut",
      sum(n_throttled)::int as "counterThrottled"
    from triggers.counter where trigger_id = any(${[...ids]}::uuid[]) and minute >= ${since}
    group by trigger_id`.execute(db)
  return new Map(rows.map(({ id, ...sums }) => [id, sums]))
}

type Asked = {
  from: Date
  to: Date
  step: 'minute' | 'hour' | 'day'
  page: number
  pageSize: number
}

/** Page of the counters of a trigger in order of time, and the number of rows. */
export async function listCounters(db: Db, id: string, asked: Asked) {
  const { from, to, step, page, pageSize } = asked
  const within = sql`from triggers.counter
    where trigger_id = ${id} and minute >= ${from} and minute < ${to}`
  const begin = sql`date_trunc(${step}, minute, 'UTC')`
  const [{ rows }, totals] = await Promise.all([
    sql<Sums & { time: Date }>`
      select ${begin} as time, sum(n_in)::int as "counterIn", sum(n_out)::int as "counterOut",
        sum(n_throttled)::int as "counterThrottled" ${within}
      group by 1 order by 1 limit ${pageSize} offset ${page * pageSize}`.execute(db),
    sql<{ total: number }>`select count(distinct ${begin})::int as total ${within}`.execute(db),
  ])
  return {
    rows: rows.map(({ time, ...sums }) => ({ time: time.getTime(), ...sums })),
    total: totals.rows[0]?.total ?? 0,
  }
}

/** Deletes counters of more than 90 days ago. */
export const cleanupCounters = (db: Db, now: Date) =>
  db
    .deleteFrom('counter')
    .where('minute', '<', new Date(now.getTime() - keptMs))
    .execute()
