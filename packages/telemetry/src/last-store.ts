import type pg from 'pg'
import { wholes } from './database.ts'
import { TelemetryError } from './point.ts'

export type Last = { series: number; t: number; q: number; v: string }

// 32 series, as in the migration: a row is small enough to be read and written as a whole.
const slotBits = 5

/** SQL join for the time of the newest stored value; `u.series` is the series. */
export const newestTime = `join telemetry.newest n on n.slot = u.series >> ${slotBits}
  cross join lateral (select n.t[array_position(n.series, u.series)] as t) l`

// From this number on, decoding whole rows here is faster than looking up single values in SQL.
const manyInSlot = 8
type Answer = [series: number[], t: number[], q: number[], v: string[]]

/** Newest values as of the last time that each series was sealed. */
export async function lastValues(pool: pg.Pool, series: number[]): Promise<Last[]> {
  const slots = new Set(series.map((id) => id >> slotBits))
  const whole = series.length >= slots.size * manyInSlot
  // One row of arrays, because parsing a thousand rows costs more than finding them.
  const { rows } = await pool.query<{ answer: Answer[] }>(
    whole
      ? {
          name: 'telemetry-last-slots',
          text: `select coalesce(json_agg(json_build_array(n.series, n.t, n.q, n.v)), '[]') as answer
                 from telemetry.newest n where n.slot = any($1::int[])`,
          values: [wholes([...slots])],
        }
      : {
          name: 'telemetry-last-read',
          text: `select json_build_array(json_build_array(
                   coalesce(json_agg(u.series), '[]'), coalesce(json_agg(n.t[p.at]), '[]'),
                   coalesce(json_agg(n.q[p.at]), '[]'), coalesce(json_agg(n.v[p.at]), '[]'))) as answer
                 from unnest($1::int[]) as u (series)
                 join telemetry.newest n on n.slot = u.series >> ${slotBits}
                 cross join lateral (select array_position(n.series, u.series) as at offset 0) p
                 where p.at is not null`,
          values: [wholes(series)],
        },
  )
  const answer = rows[0]?.answer
  if (!answer) throw new TelemetryError('unavailable', 'The database gave no answer; ask again')
  const asked = new Set(series)
  return answer.flatMap(([ids, times, grades, values]) =>
    ids.flatMap((id, row): Last[] =>
      asked.has(id)
        ? [{ series: id, t: times[row] ?? 0, q: grades[row] ?? 0, v: values[row] ?? 'null' }]
        : [],
    ),
  )
}

const store = `insert into telemetry.newest as n (slot, series, t, q, v)
  select u.series >> ${slotBits}, array_agg(u.series order by u.series),
    array_agg(u.t order by u.series), array_agg(u.q order by u.series), array_agg(u.v order by u.series)
  from unnest($1::int[], $2::bigint[], $3::smallint[], $4::text[]) as u (series, t, q, v)
  where exists (select from telemetry.series s where s.id = u.series)
  group by 1 order by 1
  on conflict (slot) do update set (series, t, q, v) = (
    select array_agg(w.series order by w.series), array_agg(w.t order by w.series),
      array_agg(w.q order by w.series), array_agg(w.v order by w.series)
    from (
      select distinct on (b.series) b.* from (
        select o.*, 0 as turn from unnest(n.series, n.t, n.q, n.v) as o (series, t, q, v)
        union all
        select o.*, 1 from unnest(excluded.series, excluded.t, excluded.q, excluded.v) as o (series, t, q, v)
      ) b order by b.series, b.t desc, b.turn desc
    ) w)`

/** Stores newest values; an older one never replaces a newer one. Each series at most once. */
export async function storeLast(client: pg.PoolClient, lasts: Last[]) {
  await client.query({
    name: 'telemetry-last',
    text: store,
    values: [
      wholes(lasts.map(({ series }) => series)),
      wholes(lasts.map(({ t }) => t)),
      wholes(lasts.map(({ q }) => q)),
      lasts.map(({ v }) => v),
    ],
  })
}

/** Deletes the newest values of forgotten series. */
export async function dropLast(client: pg.PoolClient, series: number[]) {
  const slots = [...new Set(series.map((id) => id >> slotBits))].toSorted((a, b) => a - b)
  await client.query(
    `update telemetry.newest n set (series, t, q, v) = (
       select coalesce(array_agg(o.series), '{}'), coalesce(array_agg(o.t), '{}'),
         coalesce(array_agg(o.q), '{}'), coalesce(array_agg(o.v), '{}')
       from unnest(n.series, n.t, n.q, n.v) as o (series, t, q, v)
       where o.series <> all($2::int[]))
     where n.slot in (
       select slot from telemetry.newest where slot = any($1::int[]) order by slot for update)`,
    [slots, series],
  )
  await client.query(
    `delete from telemetry.newest where slot = any($1::int[]) and cardinality(series) = 0`,
    [slots],
  )
}
