import type pg from 'pg'
import { rewriteBundles } from './bundle-merge.ts'
import { transaction, wholes } from './database.ts'
import { inSlot, type Keys } from './keys.ts'
import { dropLast } from './last-store.ts'
import type { Live } from './live.ts'
import type { Storage } from './point.ts'
import { slotOf } from './slot.ts'

/**
 * Deletes a device's series and all their values; returns the series ids and the bundles that were
 * rewritten.
 */
export const forgetDevice = (pool: pg.Pool, keys: Keys, device: string) =>
  transaction(pool, async (client) => {
    await client.query(`delete from telemetry.series_run where device = $1`, [device])
    const { rows } = await client.query<{ id: number }>(
      `delete from telemetry.series where device = $1 returning id`,
      [device],
    )
    const ids = rows.map(({ id }) => id)
    const ofSeries = (keyed: boolean) =>
      `using unnest($1::int[]) as u (series)
       where ${inSlot(keyed, 'r', 'u.series')} r.series = u.series`
    await client.query(`delete from telemetry.chunk r ${ofSeries(keys.chunk)}`, [wholes(ids)])
    await client.query(`delete from telemetry.graded_hour r ${ofSeries(keys.graded)}`, [
      wholes(ids),
    ])
    await dropLast(client, keys, ids)
    const slots = [...new Set(ids.map(slotOf))]
    return { ids, slots, ...(await rewriteBundles(client, keys, slots)) }
  })

/**
 * Moves a device's series with all their values to another organization. A series with the same
 * path and type that already exists there is kept.
 */
export const moveDevice = (pool: pg.Pool, device: string, from: string, to: string) =>
  pool.query(
    `update telemetry.series s set org = $3
     where s.device = $1 and s.org = $2 and not exists (
       select from telemetry.series t
       where t.device = s.device and t.path = s.path and t.type = s.type and t.org = $3)`,
    [device, from, to],
  )

export async function storageOf(pool: pg.Pool, live: Live): Promise<Storage> {
  const { rows } = await pool.query<Omit<Storage, 'waiting'>>(
    `select (select count(*)::float8 from telemetry.series) as series,
       count(*)::float8 as chunks, coalesce(sum(n), 0)::float8 as rows,
       (select sum(pg_total_relation_size(oid))::float8 from pg_class
        where relnamespace = 'telemetry'::regnamespace and relkind = 'r') as bytes
     from (select n from telemetry.chunk union all select n from telemetry.bundle) as stored`,
  )
  const stored = rows[0] ?? { series: 0, chunks: 0, rows: 0, bytes: 0 }
  return { ...stored, waiting: Math.round(live.weight) }
}
