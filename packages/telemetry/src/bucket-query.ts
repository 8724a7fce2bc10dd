import type pg from 'pg'
import { decodeChunk, decodePlain } from './chunk-codec.ts'
import { addChunkValues } from './chunk-figures.ts'
import { chunksWithin, type ChunkData, type ChunkFigures } from './chunk-store.ts'
import { between, merged, type Columns } from './columns.ts'
import type { FigureQuery } from './figure-store.ts'
import type { Keys } from './keys.ts'
import type { Bucket } from './point.ts'
import { decodeSteps } from './steps.ts'
import { BucketSeries, type Summary } from './summary.ts'

type Client = pg.PoolClient | pg.Pool
/** Values outside of chunks; those in memory are newer than all others. */
export type Loose = { version: number; columns: Columns }
type Pages = Iterable<ChunkFigures[]> | AsyncIterable<ChunkFigures[]>
/** Aggregates of each run of values in the memory of another process, by series. */
export type FiguresBySeries = ReadonlyMap<number, Summary[][]>
type Item = {
  t0: number
  t1: number
  chunk?: ChunkFigures
  loose?: Loose
  figures?: Summary[]
}
/** Items of a series that overlap in time with each other and with no other item. */
type Group = { series: number; items: Item[] }

type Sources = {
  query: FigureQuery
  keys: Keys
  loose: Map<number, Loose[]>
  figures: FiguresBySeries
}

/**
 * Buckets of each series, from chunks ordered by series and start, from loose values and from figures of values.
 * A series whose figures overlap in time with others is in `unclear` instead: it needs the values.
 */
export async function bucketsOf(
  pages: Pages,
  client: Client,
  { query, keys, loose, figures }: Sources,
): Promise<{ buckets: Map<number, Bucket[]>; unclear: Set<number> }> {
  const unclear = new Set<number>()
  const done = new Map<number, BucketSeries>()
  const grouping = new Grouping(query.series, itemsOf(loose, figures))
  const fill = async (groups: Group[]) => {
    for (const group of groups) {
      const into = done.get(group.series) ?? new BucketSeries(query.since, query.width)
      done.set(group.series, into)
      if (group.items.length > 1 && figures.has(group.series)) unclear.add(group.series)
      else if (group.items.length === 1) addItem(into, group.items[0], query)
      else into.addColumns(between(await mergeGroup(group, client, keys), query.since, query.to))
    }
  }
  for await (const page of pages) await fill(page.flatMap((chunk) => grouping.add(chunk)))
  await fill(grouping.end())
  const clear = [...done].filter(([id]) => !unclear.has(id))
  return { buckets: new Map(clear.map(([id, series]) => [id, series.buckets()])), unclear }
}

/** Loose values and figures of each series, by start. */
function itemsOf(loose: Map<number, Loose[]>, figures: FiguresBySeries) {
  const items = new Map<number, Item[]>()
  for (const [id, parts] of loose) items.set(id, parts.map(looseItem))
  for (const [id, runs] of figures)
    items.set(id, [...(items.get(id) ?? []), ...runs.flatMap(figuresItem)])
  for (const own of items.values()) own.sort((a, b) => a.t0 - b.t0)
  return items
}

function looseItem(loose: Loose): Item {
  const { t } = loose.columns
  return { t0: t[0] ?? 0, t1: t.at(-1) ?? 0, loose }
}

function figuresItem(figures: Summary[]): Item[] {
  const [first, last] = [figures[0], figures.at(-1)]
  return first && last ? [{ t0: first.t0, t1: last.t1, figures }] : []
}

/**
 * Grouping of items that overlap in time. It takes chunks by series and start, inserts the loose
 * values in between, and yields complete groups.
 */
class Grouping {
  private open: Item[] = []
  private end0 = -Infinity
  private at = 0
  private readonly ids: number[]
  private readonly items: Map<number, Item[]>
  /** `items` are those of each series beside chunks, by start. */
  constructor(ids: number[], items: Map<number, Item[]>) {
    this.ids = ids
    this.items = items
  }

  add(chunk: ChunkFigures): Group[] {
    const groups: Group[] = []
    while (this.ids[this.at] !== chunk.series) this.nextSeries(groups)
    this.looseBefore(chunk.t0, groups)
    this.put({ t0: chunk.t0, t1: chunk.t1, chunk }, groups)
    return groups
  }

  end(): Group[] {
    const groups: Group[] = []
    while (this.at < this.ids.length) this.nextSeries(groups)
    return groups
  }

  private nextSeries(groups: Group[]) {
    this.looseBefore(Infinity, groups)
    this.close(groups)
    this.at += 1
  }

  private looseBefore(t0: number, groups: Group[]) {
    const waiting = this.items.get(this.ids[this.at] ?? 0) ?? []
    for (;;) {
      const item = waiting[0]
      if (!item || item.t0 > t0) return
      waiting.shift()
      this.put(item, groups)
    }
  }

  private put(item: Item, groups: Group[]) {
    if (item.t0 > this.end0) this.close(groups)
    this.open.push(item)
    this.end0 = Math.max(this.end0, item.t1)
  }

  private close(groups: Group[]) {
    if (this.open.length > 0) groups.push({ series: this.ids[this.at] ?? 0, items: this.open })
    this.open = []
    this.end0 = -Infinity
  }
}

function addItem(into: BucketSeries, item: Item | undefined, { since, to }: FigureQuery) {
  if (item?.loose) into.addColumns(item.loose.columns)
  else if (item?.chunk) addChunk(into, item.chunk, { since, to })
  else for (const part of item?.figures ?? []) into.addSummary(part)
}

function addChunk(
  into: BucketSeries,
  chunk: ChunkFigures,
  { since, to }: Pick<FigureQuery, 'since' | 'to'>,
) {
  if (chunk.plain) addChunkValues(into, { plain: chunk.plain, steps: chunk.steps }, { since, to })
  else if (!chunk.steps) into.addSummary(chunk)
  else
    for (const part of decodeSteps(chunk.steps))
      if (part.t0 >= since && part.t0 < to) into.addSummary(part)
}

/** Values of overlapping items, each time once. */
async function mergeGroup({ series, items }: Group, client: Client, keys: Keys) {
  const t0 = Math.min(...items.map((item) => item.t0))
  const t1 = Math.max(...items.map((item) => item.t1))
  const inChunks = items.flatMap(({ chunk }) => chunk ?? [])
  const opened = inChunks.flatMap(({ version, plain }) => (plain ? [{ version, plain }] : []))
  const stored =
    opened.length === inChunks.length
      ? opened.map(({ version, plain }) => ({ version, columns: decodePlain(plain) }))
      : decodeChunks(await chunksWithin(client, keys, { series, t0, t1 }))
  const loose = items.flatMap((item) => item.loose ?? [])
  return merged(sortByAge([...stored, ...loose]).map((part) => between(part, t0, t1 + 1)))
}

const decodeChunks = (chunks: ChunkData[]): Loose[] =>
  chunks.map(({ version, data }) => ({ version, columns: decodeChunk(data) }))

/** Values of chunks and loose parts, the newest write last. */
export const byVersion = (chunks: ChunkData[], loose: Loose[]): Columns[] =>
  sortByAge([...decodeChunks(chunks), ...loose])

const sortByAge = (parts: Loose[]) => parts.toSorted(olderFirst).map(({ columns }) => columns)
// Equal ones keep their order: two in memory both have an infinite version, whose difference is
// NaN.
const olderFirst = (a: Loose, b: Loose) => (a.version === b.version ? 0 : a.version - b.version)
