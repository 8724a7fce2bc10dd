import type pg from 'pg'
import { TelemetryError } from './point.ts'

export type Last = { series: number; t: number; q: number; v: string }

/** The newest values as of the last time each series was sealed. */
export async function lastValues(pool: pg.Pool, series: number[]): Promise<Last[]> {
  const { rows } = await pool.query<{ answer: [number[], number[], number[], string[]] }>({
    name: 'telemetry-last-read',
    // One row of columns: a thousand rows would cost more to take apart than to find.
    text: `select json_build_array(
             coalesce(json_agg(l.series), '[]'), coalesce(json_agg(l.t), '[]'),
             coalesce(json_agg(l.q), '[]'), coalesce(json_agg(l.v), '[]')) as answer
           from telemetry.last_value l where l.series = any($1::int[])`,
    values: [series],
  })
  const answer = rows[0]?.answer
  if (!answer) throw new TelemetryError('unavailable', 'The database gave no answer; ask again')
  const [ids, times, grades, values] = answer
  return ids.map((id, row): Last => {
    return { series: id, t: times[row] ?? 0, q: grades[row] ?? 0, v: values[row] ?? 'null' }
  })
}

/** The newest values, never replaced by an older one. */
export async function storeLast(client: pg.PoolClient, lasts: Last[]) {
  await client.query({
    name: 'telemetry-last',
    text: `insert into telemetry.last_value (series, t, q, v)
           select * from unnest($1::int[], $2::bigint[], $3::smallint[], $4::text[]) as u (series, t, q, v)
           where exists (select from telemetry.series s where s.id = u.series)
           on conflict (series) do update set t = excluded.t, q = excluded.q, v = excluded.v
           where excluded.t >= last_value.t`,
    values: [
      lasts.map(({ series }) => series),
      lasts.map(({ t }) => t),
      lasts.map(({ q }) => q),
      lasts.map(({ v }) => v),
    ],
  })
}
