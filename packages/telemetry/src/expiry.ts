import type pg from 'pg'
import { chunkOf, slotBits } from './bundle.ts'
import { rewriteBundles, type Rewritten } from './bundle-merge.ts'
import { decodeChunk } from './chunk-codec.ts'
import { insertChunks, takeChunks, type NewChunk } from './chunk-store.ts'
import { between } from './columns.ts'
import { cut } from './cut.ts'
import { transaction } from './database.ts'
import { newestTime } from './last-store.ts'

/** Cut of a series: values before this time are deleted. */
export type Cut = { series: number; before: number }
export type Expired = { values: number; bytes: number }

/**
 * SQL of the effective cuts: at most up to the newest value of a series, which always stays. A
 * series without a stored newest value has no old values.
 */
const cuts = `select u.series, least(u.before, l.t) as before
  from unnest($1::int[], $2::bigint[]) as u (series, before) ${newestTime}
  where l.t is not null`

const parameters = (asked: readonly Cut[]) => [
  asked.map(({ series }) => series),
  asked.map(({ before }) => Math.ceil(before)),
]

/**
 * Amount that `expire` would delete, without doing it: exact for whole chunks, estimated by time
 * for those that are cut.
 */
export async function wouldExpire(pool: pg.Pool, asked: readonly Cut[]) {
  const { rows } = await pool.query<Expired & { series: number[] }>(
    `select coalesce(array_agg(distinct c.series), '{}') as series,
       coalesce(round(sum(c.n * p.part)), 0)::float8 as values,
       coalesce(round(sum(c.bytes * p.part)), 0)::float8 as bytes
     from (${cuts}) cut
     join telemetry.part c
       on c.series = cut.series and c.slot = cut.series >> ${slotBits} and c.t0 < cut.before
     cross join lateral (select case when c.t1 < cut.before then 1
       else (cut.before - c.t0)::float8 / (c.t1 - c.t0 + 1) end as part) p`,
    parameters(asked),
  )
  return rows[0] ?? { series: [], values: 0, bytes: 0 }
}

type BundlesCut = Rewritten & { slots: number[] }

/** Rewrites bundles that hold values before a cut. */
async function trimBundles(client: pg.PoolClient, asked: readonly Cut[]): Promise<BundlesCut> {
  const { rows } = await client.query<Cut & { slot: number }>(
    `select distinct cut.series, cut.before::float8 as before, c.slot
     from (${cuts}) cut
     join telemetry.part c on c.bundled
       and c.series = cut.series and c.slot = cut.series >> ${slotBits} and c.t0 < cut.before`,
    parameters(asked),
  )
  const slots = [...new Set(rows.map(({ slot }) => slot))]
  const before = new Map(rows.map((row) => [row.series, row.before]))
  if (slots.length === 0) return { slots, chunks: [], bundles: [], gone: { values: 0, bytes: 0 } }
  return { slots, ...(await rewriteBundles(client, slots, before)) }
}

/**
 * Deletes values before the cuts, for some series in one transaction. Nothing else may move chunks
 * meanwhile. `noted` is called with the rewritten bundles.
 */
export async function expire(
  pool: pg.Pool,
  asked: readonly Cut[],
  noted: (bundles: BundlesCut) => void,
): Promise<Expired> {
  const { bundles, ...gone } = await transaction(
    pool,
    async (client) => {
      const bundles = await trimBundles(client, asked)
      const whole = await client.query<Expired>(
        `with gone as (
           delete from telemetry.chunk c using (${cuts}) cut
           where c.series = cut.series and c.t1 < cut.before
           returning c.n, octet_length(c.data) + octet_length(c.steps) as bytes)
         select coalesce(sum(n), 0)::float8 as values, coalesce(sum(bytes), 0)::float8 as bytes
         from gone`,
        parameters(asked),
      )
      const { values = 0, bytes = 0 } = whole.rows[0] ?? {}
      const trimmed = await trim(client, asked)
      return {
        bundles,
        values: values + trimmed.values + bundles.gone.values,
        bytes: bytes + trimmed.bytes + bundles.gone.bytes,
      }
    },
    'isolation level repeatable read',
  )
  noted(bundles)
  return gone
}

/** Rewrites chunks that begin before their cut and end after it. */
async function trim(client: pg.PoolClient, asked: readonly Cut[]): Promise<Expired> {
  const { rows } = await client.query<{ place: string; series: number; before: number; n: number }>(
    `select c.ctid::text as place, c.series, cut.before::float8 as before, c.n
     from (${cuts}) cut
     join telemetry.chunk c on c.series = cut.series and c.t0 < cut.before`,
    parameters(asked),
  )
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  const gone = { values: 0, bytes: 0 }
  const rest: NewChunk[] = []
  for (const { place, version, data } of await takeChunks(client, [...byPlace.keys()])) {
    const { series = 0, before = 0, n = 0 } = byPlace.get(place) ?? {}
    const kept = between(decodeChunk(data), before, Infinity)
    const parts = cut(kept).map((part) => chunkOf(series, version, part))
    rest.push(...parts)
    gone.values += n - kept.t.length
    gone.bytes += data.length - parts.reduce((sum, part) => sum + part.data.length, 0)
  }
  await insertChunks(client, rest)
  return gone
}
