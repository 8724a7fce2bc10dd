import type pg from 'pg'
import { partsBetween } from './bundle-store.ts'
import { decodeChunk, decodePassing } from './chunk-codec.ts'
import {
  chunkFigurePages,
  chunkFigures,
  chunksBackFrom,
  chunksFrom,
  chunksWithin,
  type ChunkData,
  type ChunkFigures,
  type FigureQuery,
} from './chunk-store.ts'
import { between, merged, rows, runs, type Columns } from './columns.ts'
import { transaction } from './database.ts'
import type { Live } from './live.ts'
import type { OtherWriters } from './other-writers.ts'
import {
  TelemetryError,
  type Bucket,
  type BucketOptions,
  type Point,
  type ReadOptions,
} from './point.ts'
import { decodeSteps } from './steps.ts'
import { BucketSeries } from './summary.ts'

const firstPage = 4
const largestPage = 32
const yieldRows = 10_000
// So many are fetched without a transaction of their own.
const fewChunks = 64
const figurePage = 256

export type ReaderOptions = {
  pool: pg.Pool
  live: Live
  others: OtherWriters
  writer: () => number
}
type Span = { since: number; to: number }
/** Values that are not in a chunk of their own; those in memory are newer than all others. */
type Loose = { version: number; columns: Columns }

/**
 * Reads chunks, bundles and memory as one. Values move from memory into bundles and from there into
 * chunks, and are looked for in that order: one that moves meanwhile is seen twice, which merging
 * undoes, and never missed.
 */
export class Reader {
  private readonly options: ReaderOptions
  constructor(options: ReaderOptions) {
    this.options = options
  }

  private async inMemory(series: number, { since, to }: Span): Promise<Columns[]> {
    const { live, others, writer } = this.options
    await others.refresh(writer())
    const parts = [others.columns(series, since, to)]
    const own = live.series.get(series)
    for (const buffer of [own?.closing, own?.open])
      if (buffer?.touches(since, to)) parts.push(between(buffer.columns(), since, to))
    return parts
  }

  /** What bundles hold of some series, and behind it what memory does. */
  private async loose(series: number[], { since, to }: Span) {
    const memory: (readonly [number, Columns[]])[] = []
    for (const id of series) memory.push([id, await this.inMemory(id, { since, to })])
    const stored = await partsBetween(this.options.pool, { series, since, to })
    const bySeries = Map.groupBy(stored, (part) => part.series)
    const all = memory.map(([id, parts]): readonly [number, Loose[]] => {
      const bundled = (bySeries.get(id) ?? []).map(({ version, data }) => {
        return { version, columns: between(decodeChunk(data), since, to) }
      })
      const newest = runs(merged(parts)).map((columns) => ({ version: Infinity, columns }))
      return [id, [...bundled, ...newest].filter(({ columns }) => columns.t.length > 0)]
    })
    return new Map(all)
  }

  async *read(series: number, options: ReadOptions): AsyncGenerator<Point[]> {
    const { signal, order = 'asc' } = options
    const span = { since: Math.ceil(options.since), to: Math.ceil(options.to) }
    let left = options.limit ?? Infinity
    let size = firstPage
    while (span.since < span.to && left > 0) {
      signal?.throwIfAborted()
      const page =
        order === 'asc' ? this.pageFrom(series, span, size) : this.pageBack(series, span, size)
      const { columns, reached } = await page
      size = Math.min(size * 2, reached === undefined ? Infinity : largestPage)
      if (reached === undefined) continue // all chunks overlap: only a larger page gets further
      if (order === 'asc') span.since = reached
      else span.to = reached
      for (const points of pointsOf(columns, order, left)) {
        left -= points.length
        yield points
      }
    }
  }

  /** Every value from the start of the range to `reached`. */
  private async pageFrom(series: number, span: Span, limit: number) {
    const loose = (await this.loose([series], span)).get(series) ?? []
    const chunks = await chunksFrom(this.options.pool, { series, ...span, limit })
    const reached = chunks.length < limit ? span.to : (chunks.at(-1)?.t0 ?? span.to)
    if (reached <= span.since) return { columns: merged([]), reached: undefined }
    const parts = byVersion(
      chunks.filter(({ t0 }) => t0 < reached),
      loose,
    )
    return { columns: merged(parts.map((part) => between(part, span.since, reached))), reached }
  }

  /** Every value from `reached` to the end of the range. */
  private async pageBack(series: number, span: Span, limit: number) {
    const loose = (await this.loose([series], span)).get(series) ?? []
    const { chunks, rest } = await chunksBackFrom(this.options.pool, { series, ...span, limit })
    const reached = chunks.length < limit ? span.since : Math.max(span.since, rest + 1)
    if (reached >= span.to) return { columns: merged([]), reached: undefined }
    const parts = byVersion(
      chunks.filter(({ t1 }) => t1 >= reached),
      loose,
    )
    return { columns: merged(parts.map((part) => between(part, reached, span.to))), reached }
  }

  async buckets(series: number[], options: BucketOptions): Promise<Bucket[][]> {
    const { since, to, width } = checkedRange(options)
    const ids = [...new Set(series)].toSorted((a, b) => a - b)
    const loose = await this.loose(ids, { since, to })
    const query = { series: ids, since, to, width }
    const result = await this.figuresOf(query, loose)
    return series.map((id) => result.get(id) ?? [])
  }

  private async figuresOf(query: FigureQuery, loose: Map<number, Loose[]>) {
    const { pool } = this.options
    const page = await chunkFigures(pool, query, fewChunks)
    if (page.length < fewChunks) return bucketsOf([page], pool, new BucketQuery(loose, query))
    return transaction(
      pool,
      (client) =>
        bucketsOf(
          chunkFigurePages(client, query, figurePage),
          client,
          new BucketQuery(loose, query),
        ),
      'isolation level repeatable read read only',
    )
  }
}

async function bucketsOf(
  pages: Iterable<ChunkFigures[]> | AsyncIterable<ChunkFigures[]>,
  client: pg.PoolClient | pg.Pool,
  result: BucketQuery,
) {
  for await (const page of pages) for (const chunk of page) await result.add(chunk, client)
  await result.end(client)
  return result.buckets()
}

function checkedRange({ since, to, width }: BucketOptions) {
  if (!Number.isInteger(since) || !Number.isInteger(to) || !Number.isInteger(width) || width < 1)
    throw new TelemetryError(
      'bad_range',
      'since, to and width must be whole ms, and width at least 1',
    )
  return { since, to, width }
}

/** The values of chunks and of what is loose, the newest write last. */
function byVersion(chunks: ChunkData[], loose: Loose[]): Columns[] {
  const all = chunks.map(({ version, data }) => ({ version, columns: decodeChunk(data) }))
  return [...all, ...loose].toSorted(olderFirst).map(({ columns }) => columns)
}
// Equal ones stay as they are: two in memory, of which both are infinite, have no difference.
const olderFirst = (a: Loose, b: Loose) => (a.version === b.version ? 0 : a.version - b.version)

type Item = { t0: number; t1: number; chunk?: ChunkFigures; loose?: Loose }

/** Takes chunks by series and start, puts the values that are in none between them, and fills the buckets. */
class BucketQuery {
  private readonly done = new Map<number, BucketSeries>()
  private group: Item[] = []
  private end0 = -Infinity
  private at = 0
  private readonly ids: number[]
  private readonly loose: Map<number, Loose[]>
  private readonly range: BucketOptions
  constructor(loose: Map<number, Loose[]>, { series, ...range }: FigureQuery) {
    this.ids = series
    this.loose = new Map([...loose].map(([id, parts]) => [id, parts.toSorted(earlierFirst)]))
    this.range = range
  }

  async add(chunk: ChunkFigures, client: pg.PoolClient | pg.Pool) {
    while (this.ids[this.at] !== chunk.series) await this.nextSeries(client)
    await this.looseBefore(chunk.t0, client)
    await this.put({ t0: chunk.t0, t1: chunk.t1, chunk }, client)
  }

  async end(client: pg.PoolClient | pg.Pool) {
    while (this.at < this.ids.length) await this.nextSeries(client)
  }

  private async nextSeries(client: pg.PoolClient | pg.Pool) {
    await this.looseBefore(Infinity, client)
    await this.flush(client)
    this.at += 1
  }

  private async looseBefore(t0: number, client: pg.PoolClient | pg.Pool) {
    const waiting = this.loose.get(this.ids[this.at] ?? 0) ?? []
    for (;;) {
      const loose = waiting[0]
      const start = loose?.columns.t[0]
      if (!loose || start === undefined || start > t0) return
      waiting.shift()
      await this.put({ t0: start, t1: loose.columns.t.at(-1) ?? start, loose }, client)
    }
  }

  private async put(item: Item, client: pg.PoolClient | pg.Pool) {
    if (item.t0 > this.end0) await this.flush(client)
    this.group.push(item)
    this.end0 = Math.max(this.end0, item.t1)
  }

  /** The items collected share time with each other and with nothing else. */
  private async flush(client: pg.PoolClient | pg.Pool) {
    const { group } = this
    this.group = []
    this.end0 = -Infinity
    if (group.length === 0) return
    const [only] = group
    const into = this.into(this.ids[this.at] ?? 0)
    const { since, to } = this.range
    if (group.length > 1) into.addColumns(between(await this.mergedGroup(group, client), since, to))
    else if (only?.loose) into.addColumns(only.loose.columns)
    else if (only?.chunk) addChunk(into, only.chunk, this.range)
  }

  private async mergedGroup(group: Item[], client: pg.PoolClient | pg.Pool) {
    const t0 = Math.min(...group.map((item) => item.t0))
    const t1 = Math.max(...group.map((item) => item.t1))
    const inChunks = group.flatMap(({ chunk }) => chunk ?? [])
    const complete = inChunks.every(({ data }) => data !== null)
    const chunks = complete ? inChunks : await chunksWithin(client, this.ids[this.at] ?? 0, t0, t1)
    const stored = chunks.flatMap(({ t0, t1, version, data }) =>
      data ? [{ t0, t1, version, data }] : [],
    )
    const loose = group.flatMap((item) => item.loose ?? [])
    return merged(byVersion(stored, loose).map((part) => between(part, t0, t1 + 1)))
  }

  private into(id: number) {
    const series = this.done.get(id) ?? new BucketSeries(this.range.since, this.range.width)
    this.done.set(id, series)
    return series
  }

  buckets() {
    return new Map([...this.done].map(([id, series]) => [id, series.buckets()]))
  }
}

const earlierFirst = (a: Loose, b: Loose) => (a.columns.t[0] ?? 0) - (b.columns.t[0] ?? 0)

function addChunk(into: BucketSeries, chunk: ChunkFigures, { since, to }: Span) {
  if (chunk.data) into.addColumns(between(decodePassing(chunk.data), since, to))
  else if (!chunk.steps) into.addSummary(chunk)
  else
    for (const part of decodeSteps(chunk.steps))
      if (part.t0 >= since && part.t0 < to) into.addSummary(part)
}

function* pointsOf(columns: Columns, order: 'asc' | 'desc', limit: number) {
  const count = Math.min(columns.t.length, limit)
  for (let from = 0; from < count; from += yieldRows) {
    const size = Math.min(yieldRows, count - from)
    const end = columns.t.length - from
    if (order === 'asc') yield listed(rows(columns, from, from + size))
    else yield listed(rows(columns, end - size, end)).toReversed()
  }
}

function listed({ t, v, q }: Columns): Point[] {
  const points: Point[] = []
  for (let row = 0; row < t.length; row += 1)
    points.push({ t: t[row] ?? 0, v: v[row] ?? null, q: q?.[row] ?? 0 })
  return points
}
