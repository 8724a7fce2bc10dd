import type pg from 'pg'
import { chunkOf } from './bundle.ts'
import { rewriteBundles, type Rewritten } from './bundle-merge.ts'
import { decodeChunk } from './chunk-codec.ts'
import { insertChunks } from './chunk-insert.ts'
import { takeChunks, type ChunkKey, type NewChunk } from './chunk-store.ts'
import { between } from './columns.ts'
import { cut } from './cut.ts'
import { snapshotTransaction } from './database.ts'
import { inSlot, type Keys } from './keys.ts'
import { newestTime } from './last-store.ts'
import { slotBits } from './slot.ts'
import { bundledParts, storedParts } from './stored-parts.ts'

/** Cut of a series: values before this time are deleted. */
export type Cut = { series: number; before: number }
export type Expired = { values: number; bytes: number }

/**
 * SQL of the effective cuts: at most up to the newest value of a series, which always stays. A
 * series without a stored newest value has no old values.
 */
const cutsWith = (keys: Keys) => `select u.series, least(u.before, l.t) as before
  from unnest($1::int[], $2::bigint[]) as u (series, before) ${newestTime(keys)}
  where l.t is not null`

const parameters = (asked: readonly Cut[]) => [
  asked.map(({ series }) => series),
  asked.map(({ before }) => Math.ceil(before)),
]

/**
 * Amount that `expire` would delete, without doing it: exact for whole chunks, estimated by time
 * for those that are cut.
 */
export async function wouldExpire(pool: pg.Pool, keys: Keys, asked: readonly Cut[]) {
  const { rows } = await pool.query<Expired & { series: number[] }>(
    `select coalesce(array_agg(distinct c.series), '{}') as series,
       coalesce(round(sum(c.n * p.part)), 0)::float8 as values,
       coalesce(round(sum(c.bytes * p.part)), 0)::float8 as bytes
     from (${cutsWith(keys)}) cut
     join ${storedParts(keys)} c
       on c.series = cut.series and c.slot = cut.series >> ${slotBits} and c.t0 < cut.before
     cross join lateral (select case when c.t1 < cut.before then 1
       else (cut.before - c.t0)::float8 / (c.t1 - c.t0 + 1) end as part) p`,
    parameters(asked),
  )
  return rows[0] ?? { series: [], values: 0, bytes: 0 }
}

type BundlesCut = Rewritten & { slots: number[] }

/** Rewrites bundles that hold values before a cut. */
async function trimBundles(
  client: pg.PoolClient,
  keys: Keys,
  asked: readonly Cut[],
): Promise<BundlesCut> {
  const { rows } = await client.query<Cut & { slot: number }>(
    `select distinct cut.series, cut.before::float8 as before, c.slot
     from (${cutsWith(keys)}) cut
     join (${bundledParts}) c
       on c.series = cut.series and c.slot = cut.series >> ${slotBits} and c.t0 < cut.before`,
    parameters(asked),
  )
  const slots = [...new Set(rows.map(({ slot }) => slot))]
  const before = new Map(rows.map((row) => [row.series, row.before]))
  if (slots.length === 0) return { slots, chunks: [], bundles: [], gone: { values: 0, bytes: 0 } }
  return { slots, ...(await rewriteBundles(client, keys, slots, before)) }
}

/**
 * Deletes values before the cuts, for some series in one transaction. Nothing else may move chunks
 * meanwhile. `noted` is called with the rewritten bundles.
 */
export async function expire(
  { pool, keys }: { pool: pg.Pool; keys: Keys },
  asked: readonly Cut[],
  noted: (bundles: BundlesCut) => void,
): Promise<Expired> {
  const { bundles, ...gone } = await snapshotTransaction(pool, async (client) => {
    const bundles = await trimBundles(client, keys, asked)
    const whole = await client.query<Expired>(
      `with gone as (
           delete from telemetry.chunk c using (${cutsWith(keys)}) cut
           where ${inSlot(keys.chunk, 'c', 'cut.series')} c.series = cut.series
             and c.t0 < cut.before and c.t1 < cut.before
           returning c.n, octet_length(c.data) + octet_length(c.steps) as bytes)
         select coalesce(sum(n), 0)::float8 as values, coalesce(sum(bytes), 0)::float8 as bytes
         from gone`,
      parameters(asked),
    )
    const { values = 0, bytes = 0 } = whole.rows[0] ?? {}
    const trimmed = await trim(client, keys, asked)
    return {
      bundles,
      values: values + trimmed.values + bundles.gone.values,
      bytes: bytes + trimmed.bytes + bundles.gone.bytes,
    }
  })
  noted(bundles)
  return gone
}

/** Rewrites chunks that begin before their cut and end after it. */
async function trim(client: pg.PoolClient, keys: Keys, asked: readonly Cut[]): Promise<Expired> {
  const { rows } = await client.query<ChunkKey & Cut>(
    `select c.series, c.t0::float8 as t0, c.version::float8 as version, cut.before::float8 as before
     from (${cutsWith(keys)}) cut
     join telemetry.chunk c on ${inSlot(keys.chunk, 'c', 'cut.series')} c.series = cut.series
       and c.t0 < cut.before`,
    parameters(asked),
  )
  if (rows.length === 0) return { values: 0, bytes: 0 }
  const before = new Map(rows.map((row) => [row.series, row.before]))
  const gone = { values: 0, bytes: 0 }
  const rest: NewChunk[] = []
  for (const { series, version, n, data } of await takeChunks(client, keys, rows)) {
    const kept = between(decodeChunk(data), before.get(series) ?? -Infinity, Infinity)
    const parts = cut(kept).map((part) => chunkOf(series, version, part))
    rest.push(...parts)
    gone.values += n - kept.t.length
    gone.bytes += data.length - parts.reduce((sum, part) => sum + part.data.length, 0)
  }
  await insertChunks(client, keys, rest)
  return gone
}
