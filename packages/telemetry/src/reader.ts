import type pg from 'pg'
import { bucketsOf, byVersion, type FiguresBySeries, type Loose } from './bucket-query.ts'
import { partsBetween, type StoredPart } from './bundle-store.ts'
import { decodeChunk } from './chunk-codec.ts'
import { chunksBackFrom, chunksFrom } from './chunk-store.ts'
import { between, merged, rows, runs, type Columns } from './columns.ts'
import { transaction } from './database.ts'
import { chunkFigurePages, partsAndFigures, type FigureQuery } from './figure-store.ts'
import type { Keys } from './keys.ts'
import type { Live } from './live.ts'
import type { OtherWriters } from './other-writers.ts'
import {
  TelemetryError,
  type Bucket,
  type BucketOptions,
  type Point,
  type ReadOptions,
} from './point.ts'
import type { Summary } from './summary.ts'

const firstPage = 4
const largestPage = 32
const yieldRows = 10_000
// Page size; up to this number no transaction is needed. A day of fifty series has a hundred chunks
// when a seal lies in it.
const figurePage = 256
/** Values taken from memory without yielding; one series may have more. */
const mostGathered = 200_000

type ReaderOptions = {
  pool: pg.Pool
  live: Live
  others: OtherWriters
  keys: Keys
  writer: () => number
}
type Span = { since: number; to: number }
type Values = (readonly [number, Columns[]])[]
/** `figures` are those of series that one other process alone has in memory. */
type Memory = { values: Values; figures: FiguresBySeries }

/**
 * Reader of chunks, bundles and memory. Values move from memory to bundles and then to chunks, and
 * are read in that order: a value that moves meanwhile is seen twice, which merging corrects, and
 * never missed.
 */
export class Reader {
  private readonly options: ReaderOptions
  constructor(options: ReaderOptions) {
    this.options = options
  }

  /** Values of some series in memory. It must be read before bundles and chunks. */
  private async inMemory(series: number[], { since, to }: Span): Promise<Values> {
    const { live, others, writer } = this.options
    const tails = await others.tails(writer(), { series, since, to, newest: false })
    return series.map((id) => [id, [tails.columns(id, since, to), ...live.columns(id, since, to)]])
  }

  /**
   * Values of some series in memory, as figures where another process sends these. Those of a series that more than
   * one process has are asked for again as values: figures of each would not give the figures of all.
   */
  private async inMemoryAs(query: FigureQuery): Promise<Memory> {
    const { live, others, writer } = this.options
    const { series, since, to, width } = query
    const tails = await others.tails(writer(), { series, since, to, newest: false, width })
    const figures = new Map<number, Summary[][]>()
    const values = new Map<number, Columns[]>()
    const mixed: number[] = []
    for (const id of series) {
      const [only, ...more] = tails.figures(id)
      const parts = [tails.columns(id, since, to), ...live.columns(id, since, to)]
      if (!only) values.set(id, parts)
      else if (more.length > 0 || parts.some(({ t }) => t.length > 0)) mixed.push(id)
      else figures.set(id, only)
    }
    if (mixed.length > 0)
      for (const [id, parts] of await this.inMemory(mixed, query)) values.set(id, parts)
    return { values: series.map((id) => [id, values.get(id) ?? []]), figures }
  }

  /** Values of a series in bundles, then those in memory. */
  private async loose(series: number, span: Span) {
    const memory = await this.inMemory([series], span)
    const stored = await partsBetween(this.options.pool, { series: [series], ...span })
    return looseOf(memory, stored, span).get(series) ?? []
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
      if (reached === undefined) continue // all chunks overlap, so only a larger page gets further
      if (order === 'asc') span.since = reached
      else span.to = reached
      for (const points of pointsOf(columns, order, left)) {
        left -= points.length
        yield points
      }
    }
  }

  /** Values from the start of the range to `reached`. */
  private async pageFrom(series: number, span: Span, limit: number) {
    const { pool, keys } = this.options
    const loose = await this.loose(series, span)
    const chunks = await chunksFrom(pool, keys, { series, ...span, limit })
    const reached = chunks.length < limit ? span.to : (chunks.at(-1)?.t0 ?? span.to)
    if (reached <= span.since) return { columns: merged([]), reached: undefined }
    const parts = byVersion(
      chunks.filter(({ t0 }) => t0 < reached),
      loose,
    )
    return { columns: merged(parts.map((part) => between(part, span.since, reached))), reached }
  }

  /** Values from `reached` to the end of the range. */
  private async pageBack(series: number, span: Span, limit: number) {
    const { pool, keys } = this.options
    const loose = await this.loose(series, span)
    const { chunks, rest } = await chunksBackFrom(pool, keys, { series, ...span, limit })
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
    const result = new Map<number, Bucket[]>()
    for (const some of this.inSteps(ids, { since, to })) {
      const query = { series: some, since, to, width }
      const { buckets: found, unclear } = await this.figuresOf(query, await this.inMemoryAs(query))
      for (const [id, buckets] of found) result.set(id, buckets)
      if (unclear.size === 0) continue
      // Late values, or values that became chunks between the two looks.
      const again = { ...query, series: [...unclear] }
      const memory = { values: await this.inMemory(again.series, query), figures: noFigures }
      for (const [id, buckets] of (await this.figuresOf(again, memory)).buckets)
        result.set(id, buckets)
    }
    return series.map((id) => result.get(id) ?? [])
  }

  /**
   * Batches of series with few values in memory; the database queries in between let other work
   * run.
   */
  private *inSteps(ids: number[], { since, to }: Span) {
    let some: number[] = []
    let values = 0
    for (const id of ids) {
      const own = this.options.live.count(id, since, to)
      if (some.length > 0 && values + own > mostGathered) {
        yield some
        some = []
        values = 0
      }
      some.push(id)
      values += own
    }
    if (some.length > 0) yield some
  }

  private async figuresOf(query: FigureQuery, memory: Memory) {
    const { pool, keys } = this.options
    const found = await partsAndFigures(pool, keys, { query, limit: figurePage })
    const { parts, chunks } = found
    const { values, figures } = memory
    const all = { query, keys, loose: looseOf(values, parts, query), figures }
    if (chunks.length < figurePage) return bucketsOf([chunks], pool, all)
    return transaction(
      pool,
      (client) =>
        bucketsOf(chunkFigurePages(client, keys, { query, size: figurePage }), client, all),
      'isolation level repeatable read read only',
    )
  }
}

const noFigures: FiguresBySeries = new Map()

function looseOf(memory: Values, stored: StoredPart[], { since, to }: Span) {
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

function checkedRange({ since, to, width }: BucketOptions) {
  if (!Number.isInteger(since) || !Number.isInteger(to) || !Number.isInteger(width) || width < 1)
    throw new TelemetryError(
      'bad_range',
      'since, to and width must be whole ms, and width at least 1',
    )
  return { since, to, width }
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
