import type pg from 'pg'
import { wholes } from './database.ts'
import { inSlot, type Keys } from './keys.ts'
import type { Steps } from './steps.ts'
import type { Summary } from './summary.ts'

export type NewChunk = Summary & Steps & { series: number; version: number; data: Buffer }
/** Chunk for reading, without its summary. */
export type ChunkData = { t0: number; t1: number; version: number; data: Buffer }
/** Chunk with the data that answers the query: unpacked bytes, steps, or the summary alone. */
export type ChunkFigures = Summary & {
  series: number
  version: number
  plain: Buffer | null
  steps: Buffer | null
}
/** Key of a chunk; its slot follows from its series. */
export type ChunkKey = { series: number; t0: number; version: number }
export type ChunkExtent = ChunkKey & { t1: number; n: number }
type TakenChunk = ChunkExtent & { data: Buffer }

type Client = pg.PoolClient | pg.Pool
/** Name of a prepared statement, which differs with the table's key. */
const named = (keys: Keys, name: string) => (keys.chunk ? `${name}-slot` : name)

/** End of the newest chunk of each series with chunks. */
export async function chunkEnds(client: Client, keys: Keys, series: number[]) {
  const { rows } = await client.query<{ series: number; end: number }>(
    `select u.series, e.t1::float8 as end from unnest($1::int[]) as u (series)
     cross join lateral (select max(t1) as t1 from telemetry.chunk c
       where ${inSlot(keys.chunk, 'c', 'u.series')} c.series = u.series) e
     where e.t1 is not null`,
    [wholes(series)],
  )
  return rows
}

type Page = { series: number; since: number; to: number; limit: number }

const inRange = (keys: Keys) =>
  `${inSlot(keys.chunk, 'c', '$1::int')} c.series = $1 and c.t0 < $3 and c.t1 >= $2`

/** First chunks that overlap the range, by start. */
export async function chunksFrom(pool: pg.Pool, keys: Keys, { series, since, to, limit }: Page) {
  const { rows } = await pool.query<ChunkData>({
    name: named(keys, 'telemetry-read'),
    text: `select t0::float8 as t0, t1::float8 as t1, version::float8 as version, data
           from telemetry.chunk c where ${inRange(keys)} order by c.t0, c.version limit $4`,
    values: [series, since, to, limit],
  })
  return rows
}

/** Last chunks by start, newest first; no omitted chunk has values after `rest`. */
export async function chunksBackFrom(
  pool: pg.Pool,
  keys: Keys,
  { series, since, to, limit }: Page,
) {
  const { rows } = await pool.query<ChunkData & { rest: number | null }>({
    name: named(keys, 'telemetry-read-back'),
    text: `with page as materialized (
             select t0, t1, version, data from telemetry.chunk c
             where ${inRange(keys)} order by c.t0 desc, c.version desc limit $4),
           left_out as (
             select max(t1) as t1 from telemetry.chunk c
             where ${inSlot(keys.chunk, 'c', '$1::int')} c.series = $1
               and c.t0 <= (select min(t0) from page) and c.t1 >= $2)
           select t0::float8 as t0, t1::float8 as t1, version::float8 as version, data,
             (select t1::float8 from left_out) as rest
           from page order by t0 desc, version desc`,
    values: [series, since, to, limit],
  })
  return { chunks: rows, rest: rows[0]?.rest ?? -Infinity }
}

/** Chunks of a series in a span, its end included, with their bytes. */
export async function chunksWithin(
  client: Client,
  keys: Keys,
  { series, t0, t1 }: { series: number; t0: number; t1: number },
) {
  const { rows } = await client.query<ChunkData>({
    text: `select t0::float8 as t0, t1::float8 as t1, version::float8 as version, data
           from telemetry.chunk c where ${inRange(keys)} order by c.version, c.t0`,
    values: [series, t0, t1 + 1],
  })
  return rows
}

/** Chunks of some series by series and start, without their bytes. */
export async function chunkExtents(client: pg.PoolClient, keys: Keys, series: number[]) {
  const { rows } = await client.query<ChunkExtent>(
    `select c.series, c.t0::float8 as t0, c.t1::float8 as t1, c.version::float8 as version, c.n
     from unnest($1::int[]) as u (series)
     join telemetry.chunk c on ${inSlot(keys.chunk, 'c', 'u.series')} c.series = u.series
     order by c.series, c.t0, c.version`,
    [wholes(series)],
  )
  return rows
}

/**
 * Deletes chunks and returns them. While a table of an earlier version has no key, several may have the same.
 */
export async function takeChunks(client: pg.PoolClient, keys: Keys, taken: readonly ChunkKey[]) {
  const { rows } = await client.query<TakenChunk>(
    `delete from telemetry.chunk c
     using unnest($1::int[], $2::bigint[], $3::bigint[]) as k (series, t0, version)
     where ${inSlot(keys.chunk, 'c', 'k.series')} c.series = k.series and c.t0 = k.t0
       and c.version = k.version
     returning c.series, c.t0::float8 as t0, c.t1::float8 as t1, c.version::float8 as version,
       c.n, c.data`,
    [
      wholes(taken.map(({ series }) => series)),
      wholes(taken.map(({ t0 }) => t0)),
      wholes(taken.map(({ version }) => version)),
    ],
  )
  return rows
}
