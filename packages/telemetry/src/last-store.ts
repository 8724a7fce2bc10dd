import type pg from 'pg'
import { wholes } from './database.ts'
import { inSlot, type Keys } from './keys.ts'
import { TelemetryError } from './point.ts'
import { placeBits, placeOf, slotBits } from './slot.ts'

export type Last = { series: number; t: number; q: number; v: string }

/** SQL join for the time of the newest stored value; `u.series` is the series. */
export const newestTime = (keys: Keys) => `join ${rowOf(keys, 'u.series')}
  cross join lateral (select n.t[array_position(n.series, u.series)] as t) l`

/** SQL for the row of newest values of a series. */
const rowOf = (keys: Keys, series: string) =>
  `telemetry.newest n on ${inSlot(keys.newest, 'n', series)} n.place = ${series} >> ${placeBits}`

// From this number on, decoding whole rows here is faster than looking up single values in SQL.
const manyInPlace = 8
type Answer = [series: number[], t: number[], q: number[], v: string[]]

/** Newest values as of the last time that each series was sealed. */
export async function lastValues(pool: pg.Pool, keys: Keys, series: number[]): Promise<Last[]> {
  const places = new Set(series.map(placeOf))
  const whole = series.length >= places.size * manyInPlace
  const named = (name: string) => (keys.newest ? `${name}-slot` : name)
  // One row of arrays, because parsing a thousand rows costs more than finding them.
  const { rows } = await pool.query<{ answer: Answer[] }>(
    whole
      ? {
          name: named('telemetry-last-places'),
          text: `select coalesce(json_agg(json_build_array(n.series, n.t, n.q, n.v)), '[]') as answer
                 from unnest($1::int[]) as u (place)
                 join ${rowOf(keys, `(u.place << ${placeBits})`)}`,
          values: [wholes([...places])],
        }
      : {
          name: named('telemetry-last-read'),
          text: `select json_build_array(json_build_array(
                   coalesce(json_agg(u.series), '[]'), coalesce(json_agg(n.t[p.at]), '[]'),
                   coalesce(json_agg(n.q[p.at]), '[]'), coalesce(json_agg(n.v[p.at]), '[]'))) as answer
                 from unnest($1::int[]) as u (series)
                 join ${rowOf(keys, 'u.series')}
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

// While rows of an earlier version have no slot, they get it here too.
const storeWith = ({ newest }: Pick<Keys, 'newest'>) => ({
  name: newest ? 'telemetry-last-slot' : 'telemetry-last',
  text: `insert into telemetry.newest as n (slot, place, series, t, q, v)
  select u.series >> ${slotBits}, u.series >> ${placeBits}, array_agg(u.series order by u.series),
    array_agg(u.t order by u.series), array_agg(u.q order by u.series), array_agg(u.v order by u.series)
  from unnest($1::int[], $2::bigint[], $3::smallint[], $4::text[]) as u (series, t, q, v)
  where exists (select from telemetry.series s where s.id = u.series)
  group by 1, 2 order by 2
  on conflict (${newest ? 'slot, ' : ''}place) do update
  set ${newest ? '' : 'slot = excluded.slot,'} (series, t, q, v) = (
    select array_agg(w.series order by w.series), array_agg(w.t order by w.series),
      array_agg(w.q order by w.series), array_agg(w.v order by w.series)
    from (
      select distinct on (b.series) b.* from (
        select o.*, 0 as turn from unnest(n.series, n.t, n.q, n.v) as o (series, t, q, v)
        union all
        select o.*, 1 from unnest(excluded.series, excluded.t, excluded.q, excluded.v) as o (series, t, q, v)
      ) b order by b.series, b.t desc, b.turn desc
    ) w)`,
})
const [storeByPlace, storeBySlot] = [storeWith({ newest: false }), storeWith({ newest: true })]

/** Stores newest values; an older one never replaces a newer one. Each series at most once. */
export async function storeLast(client: pg.PoolClient, keys: Keys, lasts: Last[]) {
  await client.query({
    ...(keys.newest ? storeBySlot : storeByPlace),
    values: [
      wholes(lasts.map(({ series }) => series)),
      wholes(lasts.map(({ t }) => t)),
      wholes(lasts.map(({ q }) => q)),
      lasts.map(({ v }) => v),
    ],
  })
}

/**
 * Deletes the newest values of forgotten series. Rows are taken one by one in the order in which `storeLast`
 * takes them, so that neither waits for the other for ever.
 */
export async function dropLast(client: pg.PoolClient, keys: Keys, series: number[]) {
  const places = [...new Set(series.map(placeOf))].toSorted((a, b) => a - b)
  const row = `${inSlot(keys.newest, 'n', `($1::int << ${placeBits})`)} n.place = $1`
  for (const place of places) {
    await client.query(
      `update telemetry.newest n set (series, t, q, v) = (
         select coalesce(array_agg(o.series), '{}'), coalesce(array_agg(o.t), '{}'),
           coalesce(array_agg(o.q), '{}'), coalesce(array_agg(o.v), '{}')
         from unnest(n.series, n.t, n.q, n.v) as o (series, t, q, v)
         where o.series <> all($2::int[]))
       where ${row}`,
      [place, series],
    )
    await client.query(
      `delete from telemetry.newest n where ${row} and cardinality(n.series) = 0`,
      [place],
    )
  }
}
