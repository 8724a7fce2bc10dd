import type pg from 'pg'
import type { Steps } from './steps.ts'
import type { Summary } from './summary.ts'

export type NewChunk = Summary & Steps & { series: number; version: number; data: Buffer }
/** A chunk without its figures, as reading needs it. */
export type ChunkData = { t0: number; t1: number; version: number; data: Buffer }
/** A chunk with whatever answers the question: its bytes, its steps, or its figures alone. */
export type ChunkFigures = Summary & {
  series: number
  version: number
  data: Buffer | null
  steps: Buffer | null
}
export type ChunkPlace = { place: string; series: number; t0: number; t1: number; n: number }

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

/** Write chunks in one statement: all their bytes travel as one value. Those of forgotten series are left out. */
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

/** The end of the newest chunk of each series that has one. */
export async function chunkEnds(client: pg.PoolClient | pg.Pool, series: number[]) {
  const { rows } = await client.query<{ series: number; end: number }>(
    `select u.series, e.t1::float8 as end from unnest($1::int[]) as u (series)
     cross join lateral (select max(t1) as t1 from telemetry.chunk c where c.series = u.series) e
     where e.t1 is not null`,
    [series],
  )
  return rows
}

export type Page = { series: number; since: number; to: number; limit: number }

/** The first chunks that reach into the range, by their start. */
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

/** The last chunks by their start, newest first; values after `rest` are in none that is left out. */
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

export type FigureQuery = { series: number[]; since: number; to: number; width: number }

/**
 * Chunks in the range by series and start. Each with its bytes only where neither its figures nor its
 * steps answer: the figures do when it lies in one bucket, the steps when buckets and range are whole steps.
 */
const figuresOfChunks = (series: string, [since, to, width]: [string, string, string]) => `
  select c.series, c.t0::float8 as t0, c.t1::float8 as t1, c.version::float8 as version,
    c.n, c.numbers, c.min, c.max, c.sum, c.first, c.last,
    case when a.by = 2 then c.data end as data, case when a.by = 1 then c.steps end as steps
  from unnest(${series}) as u (series)
  join telemetry.chunk c on c.series = u.series and c.t0 < ${to} and c.t1 >= ${since}
  cross join lateral (select case
    when c.t0 >= ${since} and c.t1 < ${to}
      and (c.t0 - ${since}) / ${width} = (c.t1 - ${since}) / ${width} then 0
    when c.step > 0 and ${width} % c.step = 0 and ${since} % c.step = 0
      and (c.t1 < ${to} or ${to} % c.step = 0) then 1
    else 2 end as by) a
  order by c.series, c.t0, c.version`

/** At most `limit` of the chunks, the first ones. */
export async function chunkFigures(pool: pg.Pool, query: FigureQuery, limit: number) {
  const { series, since, to, width } = query
  const { rows } = await pool.query<ChunkFigures>({
    name: 'telemetry-figures',
    text: `${figuresOfChunks('$1::int[]', ['$2::bigint', '$3::bigint', '$4::bigint'])} limit $5`,
    values: [series, since, to, width, limit],
  })
  return rows
}

/** All of the chunks, `size` at a time, as of one moment: chunks that are merged meanwhile are not missed. */
export async function* chunkFigurePages(client: pg.PoolClient, query: FigureQuery, size: number) {
  const { series, since, to, width } = query
  const numbers = [since, to, width].map((ms) => `${BigInt(ms)}::bigint`)
  const ids = `'{${series.map(Number).join(',')}}'::int[]`
  const [from = '', end = '', step = ''] = numbers
  await client.query(
    `declare figures no scroll cursor for ${figuresOfChunks(ids, [from, end, step])}`,
  )
  // The next page travels while this one is worked on.
  const fetch = () => {
    const page = client.query<ChunkFigures>(`fetch ${size} from figures`)
    page.catch(() => undefined) // whoever waits for it hears of it; nobody does after an error elsewhere
    return page
  }
  let next = fetch()
  for (;;) {
    const { rows } = await next
    if (rows.length === size) next = fetch()
    yield rows
    if (rows.length < size) return
  }
}

/** The bytes of every chunk of a series that lies in a span, whatever its figures say. */
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

/** Where the chunks of some series are, by series and start; the places hold for this transaction's snapshot. */
export async function chunkPlaces(client: pg.PoolClient, series: number[]) {
  const { rows } = await client.query<ChunkPlace>(
    `select ctid::text as place, series, t0::float8 as t0, t1::float8 as t1, n
     from telemetry.chunk where series = any($1::int[]) order by series, t0, version`,
    [series],
  )
  return rows
}

/** Take chunks out, with their bytes; the places must come from the same repeatable-read transaction. */
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
