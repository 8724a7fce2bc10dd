import type pg from 'pg'
import { wholes } from './database.ts'
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
type ChunkPlace = { place: string; series: number; t0: number; t1: number; n: number }

const insert = `insert into telemetry.chunk
    (series, t0, t1, version, n, numbers, min, max, sum, first, last, step, data, steps)
  select series, t0, t1, version, n, numbers, min, max, sum, first, last, step,
    substring($13::bytea from at + 1 for size),
    substring($13::bytea from at + size + 1 for steps_size)
  from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::int[],
    $7::float8[], $8::float8[], $9::float8[], $10::float8[], $11::float8[], $12::int[],
    $14::int[], $15::int[], $16::int[])
    as u (series, t0, t1, version, n, numbers, min, max, sum, first, last, step,
      at, size, steps_size)
  where exists (select from telemetry.series s where s.id = u.series)`

/**
 * Writes chunks in one statement, with all bytes as one value. Chunks of forgotten series are left
 * out.
 */
export async function insertChunks(client: pg.PoolClient, chunks: NewChunk[]) {
  if (chunks.length === 0) return
  let end = 0
  const starts = chunks.map(({ data, steps }) => {
    const start = end
    end += data.length + steps.length
    return start
  })
  await client.query({
    name: 'telemetry-chunks',
    text: insert,
    values: [
      ...figures.map((name) => chunks.map((chunk) => chunk[name])),
      Buffer.concat(chunks.flatMap(({ data, steps }) => [data, steps])),
      starts,
      chunks.map(({ data }) => data.length),
      chunks.map(({ steps }) => steps.length),
    ],
  })
}
const figures = [
  'series',
  't0',
  't1',
  'version',
  'n',
  'numbers',
  'min',
  'max',
  'sum',
  'first',
  'last',
  'step',
] as const

/** End of the newest chunk of each series with chunks. */
export async function chunkEnds(client: pg.PoolClient | pg.Pool, series: number[]) {
  const { rows } = await client.query<{ series: number; end: number }>(
    `select u.series, e.t1::float8 as end from unnest($1::int[]) as u (series)
     cross join lateral (select max(t1) as t1 from telemetry.chunk c where c.series = u.series) e
     where e.t1 is not null`,
    [wholes(series)],
  )
  return rows
}

type Page = { series: number; since: number; to: number; limit: number }

/** First chunks that overlap the range, by start. */
export async function chunksFrom(pool: pg.Pool, { series, since, to, limit }: Page) {
  const { rows } = await pool.query<ChunkData>({
    name: 'telemetry-read',
    text: `select t0::float8 as t0, t1::float8 as t1, version::float8 as version, data
           from telemetry.chunk where series = $1 and t0 < $3 and t1 >= $2
           order by t0, version limit $4`,
    values: [series, since, to, limit],
  })
  return rows
}

/** Last chunks by start, newest first; no omitted chunk has values after `rest`. */
export async function chunksBackFrom(pool: pg.Pool, { series, since, to, limit }: Page) {
  const { rows } = await pool.query<ChunkData & { rest: number | null }>({
    name: 'telemetry-read-back',
    text: `with page as materialized (
             select t0, t1, version, data from telemetry.chunk
             where series = $1 and t0 < $3 and t1 >= $2 order by t0 desc, version desc limit $4),
           left_out as (
             select max(t1) as t1 from telemetry.chunk
             where series = $1 and t0 <= (select min(t0) from page) and t1 >= $2)
           select t0::float8 as t0, t1::float8 as t1, version::float8 as version, data,
             (select t1::float8 from left_out) as rest
           from page order by t0 desc, version desc`,
    values: [series, since, to, limit],
  })
  return { chunks: rows, rest: rows[0]?.rest ?? -Infinity }
}

/** Chunks of a series in a span, with their bytes. */
export async function chunksWithin(
  client: pg.PoolClient | pg.Pool,
  series: number,
  t0: number,
  t1: number,
) {
  const { rows } = await client.query<ChunkData>({
    text: `select t0::float8 as t0, t1::float8 as t1, version::float8 as version, data
           from telemetry.chunk where series = $1 and t0 <= $3 and t1 >= $2 order by version, t0`,
    values: [series, t0, t1],
  })
  return rows
}

/**
 * Physical places (ctid) of the chunks of some series, by series and start; valid in this
 * transaction's snapshot.
 */
export async function chunkPlaces(client: pg.PoolClient, series: number[]) {
  const { rows } = await client.query<ChunkPlace>(
    `select ctid::text as place, series, t0::float8 as t0, t1::float8 as t1, n
     from telemetry.chunk where series = any($1::int[]) order by series, t0, version`,
    [series],
  )
  return rows
}

/**
 * Deletes chunks and returns their bytes; the places must come from the same repeatable-read
 * transaction.
 */
export async function takeChunks(client: pg.PoolClient, places: string[]) {
  const { rows } = await client.query<ChunkData & { place: string }>({
    text: `select ctid::text as place, t0::float8 as t0, t1::float8 as t1,
             version::float8 as version, data
           from telemetry.chunk where ctid = any($1::tid[])`,
    values: [places],
  })
  await client.query(`delete from telemetry.chunk where ctid = any($1::tid[])`, [places])
  return rows
}
