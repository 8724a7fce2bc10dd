import type pg from 'pg'
import { type BinaryRow, binaryRows } from './binary-rows.ts'
import {
  bundlesBetween,
  openBundles,
  type AskedParts,
  type BundleRow,
  type StoredPart,
} from './bundle-store.ts'
import { unpacked } from './chunk-codec.ts'
import type { ChunkFigures } from './chunk-store.ts'
import { wholes } from './database.ts'
import { inSlot, type Keys } from './keys.ts'
import { slotOf } from './slot.ts'
import { leastStep } from './steps.ts'

export type FigureQuery = { series: number[]; since: number; to: number; width: number }

type ChunkKeys = Pick<Keys, 'chunk'>

/** Terms of a query: SQL parameters, or the numbers themselves. */
type Asked = AskedParts & { width: string }

/**
 * Query for chunks in the range by series and start. Bytes are included only when neither summary
 * nor steps suffice: the summary does when the chunk lies in one bucket, the steps when buckets and
 * range are whole steps. Steps come with the bytes when buckets are long enough.
 */
const figuresOfChunks = (keys: ChunkKeys, { series, since, to, width }: Omit<Asked, 'slots'>) => `
  select c.series, c.t0::float8 as t0, c.t1::float8 as t1, c.version::float8 as version,
    c.n, c.numbers, c.min, c.max, c.sum, c.first, c.last,
    case when a.by = 2 then c.data end as data,
    case when a.by = 1 or a.by = 2 and c.step > 0 and 2 * c.step <= ${width} then c.steps end
      as steps
  from unnest(${series}) as u (series)
  join telemetry.chunk c on ${inSlot(keys.chunk, 'c', 'u.series')} c.series = u.series
    and c.t0 < ${to} and c.t1 >= ${since}
  cross join lateral (select case
    when c.t0 >= ${since} and c.t1 < ${to}
      and (c.t0 - ${since}) / ${width} = (c.t1 - ${since}) / ${width} then 0
    when c.step > 0 and ${width} % c.step = 0 and ${since} % c.step = 0
      and (c.t1 < ${to} or ${to} % c.step = 0) then 1
    else 2 end as by) a
  order by c.series, c.t0, c.version`

// Query for bundles and chunks with common columns; columns that a kind lacks are null.
const partsAndChunks = (keys: ChunkKeys, asked: Asked, limit: string) => `
  select c.*, null::int[] as members, null::float8[] as starts, null::float8[] as ends,
    null::int[] as from, null::int[] as upto
  from (${figuresOfChunks(keys, asked)} limit ${limit}) c
  union all
  select null, null, null, b.version::float8, null, null, null, null, null, null, null,
    b.data, null, p.series, p.starts, p.ends, p.from, p.upto
  ${bundlesBetween(asked)}`

const preparedWith = (keys: ChunkKeys) => ({
  name: keys.chunk ? 'telemetry-figures-slot' : 'telemetry-figures',
  text: partsAndChunks(
    keys,
    {
      series: '$1::int[]',
      since: '$2::bigint',
      to: '$3::bigint',
      slots: '$4::int[]',
      width: '$5::bigint',
    },
    '$6',
  ),
})
const [bySeries, bySlot] = [preparedWith({ chunk: false }), preparedWith({ chunk: true })]

const slotsOf = (series: number[]) => [...new Set(series.map(slotOf))]

const written = ({ series, since, to, width }: FigureQuery): Asked => ({
  series: `'${wholes(series.map(Number))}'::int[]`,
  slots: `'${wholes(slotsOf(series))}'::int[]`,
  since: `${BigInt(since)}::bigint`,
  to: `${BigInt(to)}::bigint`,
  width: `${BigInt(width)}::bigint`,
})

/** Stored chunk, its bytes still packed. */
type ChunkRow = Omit<ChunkFigures, 'plain'> & { data: Buffer | null }
type MemberRow = Omit<BundleRow, 'series'> & { members: number[] }
type Found = { chunk: ChunkFigures } | { parts: StoredPart[] }

const opened = ({ data, ...chunk }: ChunkRow): ChunkFigures => ({
  ...chunk,
  plain: data && unpacked(data),
})
const partsOf = ({ members, ...bundle }: MemberRow) => openBundles([{ ...bundle, series: members }])

/**
 * Parts of some series in bundles, and at most `limit` of their chunks, the first ones. One
 * statement sees one snapshot, in which a value on its way from a bundle into a chunk is in exactly
 * one of them.
 */
export async function partsAndFigures(
  pool: pg.Pool,
  keys: Keys,
  { query, limit }: { query: FigureQuery; limit: number },
) {
  const found = needsValues(query)
    ? await binaryRows(pool, partsAndChunks(keys, written(query), String(limit)), foundIn)
    : await foundPrepared(pool, keys, { query, limit })
  const parts: StoredPart[] = []
  const chunks: ChunkFigures[] = []
  for (const one of found)
    if ('chunk' in one) chunks.push(one.chunk)
    else parts.push(...one.parts)
  return { parts, chunks: chunks.toSorted(compareFigures) }
}

/** True when values are needed; buckets of whole steps mostly need none. */
const needsValues = ({ since, width }: FigureQuery) =>
  since % leastStep !== 0 || width % leastStep !== 0

async function foundPrepared(
  pool: pg.Pool,
  keys: Keys,
  { query, limit }: { query: FigureQuery; limit: number },
): Promise<Found[]> {
  const { series, since, to, width } = query
  const { rows } = await pool.query<(ChunkRow & { members: null }) | MemberRow>({
    ...(keys.chunk ? bySlot : bySeries),
    values: [series, since, to, slotsOf(series), width, limit],
  })
  return rows.map((row) =>
    row.members === null ? { chunk: opened(row) } : { parts: partsOf(row) },
  )
}

/** Unpacks a chunk while its row is read, because the row's memory is reused. */
function foundIn(row: BinaryRow): Found {
  const place = {
    series: row.int(),
    t0: row.double() ?? 0,
    t1: row.double() ?? 0,
    version: row.double() ?? 0,
  }
  const counts = { n: row.int(), numbers: row.int() }
  const figures = {
    min: row.double(),
    max: row.double(),
    sum: row.double(),
    first: row.double(),
    last: row.double(),
  }
  const data = row.bytes()
  const steps = row.bytes()
  const members = row.ints()
  if (!members) {
    const plain = data && lasting(unpacked(data), data)
    return { chunk: { ...place, ...counts, ...figures, plain, steps: steps && Buffer.from(steps) } }
  }
  const bundle = {
    version: place.version,
    members,
    starts: row.doubles() ?? [],
    ends: row.doubles() ?? [],
    from: row.ints() ?? [],
    upto: row.ints() ?? [],
    data: Buffer.from(data ?? []),
  }
  return { parts: partsOf(bundle) }
}

const lasting = (bytes: Buffer, from: Buffer) =>
  bytes.buffer === from.buffer ? Buffer.from(bytes) : bytes

const compareFigures = (a: ChunkFigures, b: ChunkFigures) =>
  a.series - b.series || a.t0 - b.t0 || a.version - b.version

/**
 * All chunks, `size` at a time, from one snapshot, so that chunks merged meanwhile are not missed.
 */
export async function* chunkFigurePages(
  client: pg.PoolClient,
  keys: Keys,
  { query, size }: { query: FigureQuery; size: number },
) {
  await client.query(
    `declare figures no scroll cursor for ${figuresOfChunks(keys, written(query))}`,
  )
  // The next page is fetched while this one is processed.
  const fetch = () => {
    const page = client.query<ChunkRow>(`fetch ${size} from figures`)
    page.catch(() => undefined) // the consumer that awaits it gets the error
    return page
  }
  let next = fetch()
  for (;;) {
    const { rows } = await next
    if (rows.length === size) next = fetch()
    yield rows.map(opened)
    if (rows.length < size) return
  }
}
