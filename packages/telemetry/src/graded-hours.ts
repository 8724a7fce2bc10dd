import type pg from 'pg'
import { inSlot, type Keys } from './keys.ts'
import type { Batch } from './point.ts'
import { slotBits } from './slot.ts'

const hourMs = 3_600_000
/** Hour with a value that was not good, and the worst quality in it. */
export type GradedHour = { hour: number; worst: number }

/**
 * Stores the hours in which values of the batch are not good. It runs before the values are stored,
 * so that none is missed.
 */
export async function noteGraded(pool: pg.Pool, keys: Keys, { series, t, q }: Batch) {
  const worst = new Map<string, [series: number, hour: number, worst: number]>()
  for (const [row, grade] of q?.entries() ?? []) {
    if (grade === 0) continue
    const [id, hour] = [series[row] ?? 0, Math.floor((t[row] ?? 0) / hourMs) * hourMs]
    const key = `${id} ${hour}`
    worst.set(key, [id, hour, Math.max(grade, worst.get(key)?.[2] ?? 0)])
  }
  if (worst.size === 0) return
  // One order everywhere, so that two processes that write the same hours cannot deadlock.
  const rows = [...worst.values()].toSorted(([a, at], [b, bt]) => a - b || at - bt)
  const columns = [0, 1, 2].map((at) => rows.map((row) => row[at]))
  // While rows of an earlier version have no slot, they get it here too.
  const store = () =>
    pool.query(
      `insert into telemetry.graded_hour (slot, series, hour, worst)
       select u.series >> ${slotBits}, u.*
       from unnest($1::int[], $2::bigint[], $3::smallint[]) as u (series, hour, worst)
       on conflict (${keys.graded ? 'slot, ' : ''}series, hour) do update
       set ${keys.graded ? '' : 'slot = excluded.slot,'} worst = excluded.worst
         where graded_hour.worst < excluded.worst`,
      columns,
    )
  await keys.follow(store)
}

/** Hours that overlap the range, oldest first, at most `limit`. */
export async function gradedHours(
  pool: pg.Pool,
  keys: Keys,
  { series, since, to, limit }: { series: number; since: number; to: number; limit: number },
): Promise<GradedHour[]> {
  const { rows } = await pool.query<GradedHour>(
    `select hour::float8 as hour, worst from telemetry.graded_hour g
     where ${inSlot(keys.graded, 'g', '$1::int')} series = $1 and hour > $2 and hour < $3 order by hour limit $4`,
    [series, since - hourMs, to, limit],
  )
  return rows
}
