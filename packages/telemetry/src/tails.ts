import { decodeHead, encodeHead, type HeadBatch } from './head-codec.ts'
import { between, emptyColumns, merged, PointBuffer, runs, type Columns } from './columns.ts'
import type { Live } from './live.ts'
import { type Summary, summarizeBuckets } from './summary.ts'
import { decodeParts, encodeParts, figuresBytes, type TailPart } from './tail-codec.ts'

/**
 * Values of some series that are asked for: those between two times, or the newest of each. With `width` the
 * answer may hold figures of buckets of so many ms from `since` on, where these are shorter.
 */
export type TailRange = {
  series: number[]
  since: number
  to: number
  newest: boolean
  width?: number | undefined
}

/** Question to another process for values that it has in memory; `from` is the writer that asks. */
type TailQuestion = TailRange & { from: number }

/** Way to the processes that write beside this one. Each is named by its writer. */
export type TailNetwork = {
  /** Answer of another writer's process; undefined when it gives none at once. */
  ask: (writer: number, question: TailQuestion) => Promise<Uint8Array | undefined>
  /** Takes the questions for a writer of this process; returns how to stop. */
  answer: (writer: number, take: (question: TailQuestion) => Uint8Array) => () => void
}

/** Answer that holds nothing: the write-ahead table is to be read instead. */
export const noTail = new Uint8Array()

/** Largest answer in bytes. */
const mostBytes = 512 * 1024
/** Most values from which figures are made for one answer, in some 10 ms. */
const mostSummed = 200_000
/** Bytes of a number with its time. */
const valueBytes = 16

/** Answer to a question from the memory of this process; `noTail` when it would be too large. */
export function tailOf(live: Live, range: TailRange): Uint8Array {
  const { series, since, to, newest, width } = range
  if (!newest && width !== undefined) {
    let values = 0
    for (const id of series) values += live.count(id, since, to)
    if (values > mostSummed) return noTail
    return encodeParts(shortParts(live, { ...range, width }), mostBytes) ?? noTail
  }
  if (!newest) return encodeParts(waitingParts(live, series, since, to), mostBytes) ?? noTail
  const batch: Required<HeadBatch> = { series: [], t: [], v: [], q: [], lastOnly: true }
  for (const id of series) {
    const point = live.newest(id)
    if (!point) continue
    batch.series.push(id)
    batch.t.push(point.t)
    batch.v.push(point.v)
    batch.q.push(point.q)
  }
  const data = encodeHead([batch])
  return data.length > mostBytes ? noTail : data
}

/** Values of each series or, where these are shorter, their figures: made as a reader would make them. */
function* shortParts(
  live: Live,
  { series, since, to, width }: TailRange & { width: number },
): Generator<TailPart> {
  for (const id of series) {
    const columns = merged(live.columns(id, since, to))
    if (columns.t.length === 0) continue
    const figures = runs(columns).map((run) => summarizeBuckets(run, { since, width }))
    const isShorter = figuresBytes(figures) < columns.t.length * valueBytes
    yield isShorter ? { series: id, figures } : { series: id, columns }
  }
}

function* waitingParts(live: Live, series: readonly number[], since: number, to: number) {
  for (const id of series)
    for (const columns of live.columns(id, since, to)) yield { series: id, columns }
}

/** Values of some series, from an answer or a block of the write-ahead table. */
export type TailBlock = {
  series: Map<number, Parts>
  last: Map<number, Parts>
  figures?: Map<number, Summary[][]>
}
type Parts = { columns: () => Columns }

/** Answer of another process. */
export function decodeTail(data: Uint8Array, newest: boolean): TailBlock {
  if (newest) return decodeBlock(data)
  const figures = new Map<number, Summary[][]>()
  const found: { series: number; columns: Columns }[] = []
  for (const part of decodeParts(data))
    if ('figures' in part) figures.set(part.series, part.figures)
    else found.push({ series: part.series, columns: columnsIn(part) })
  const series = new Map<number, Parts>()
  for (const [id, parts] of Map.groupBy(found, (part) => part.series))
    series.set(id, { columns: () => merged(parts.map(({ columns }) => columns)) })
  return { series, last: new Map(), figures }
}

const columnsIn = (part: { series: number } & ({ columns: Columns } | { block: Uint8Array })) =>
  'columns' in part
    ? part.columns
    : (decodeBlock(part.block).series.get(part.series)?.columns() ?? emptyColumns)

/** Block of the write-ahead table. */
export function decodeBlock(data: Uint8Array): TailBlock {
  const block = { series: new Map<number, PointBuffer>(), last: new Map<number, PointBuffer>() }
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
  decodeHead(bytes, ({ series, t, v, q, lastOnly }) => {
    push(block.last, series).push(t, v, q)
    if (!lastOnly) push(block.series, series).push(t, v, q)
  })
  return block
}

function push(map: Map<number, PointBuffer>, series: number) {
  const buffer = map.get(series) ?? new PointBuffer()
  map.set(series, buffer)
  return buffer
}

/** Values of other processes that are not yet in chunks, as one question was answered. */
export type Tails = ReturnType<typeof tailsOf>
export const tailsOf = (blocks: readonly TailBlock[]) => ({
  columns(series: number, since: number, to: number): Columns {
    if (blocks.length === 0) return emptyColumns
    const parts = blocks.flatMap((block) => block.series.get(series) ?? [])
    return between(merged(parts.map((part) => part.columns())), since, to)
  },
  /** Figures of a series by process, where they were asked for and are shorter than the values. */
  figures: (series: number) =>
    blocks.flatMap((block) => {
      const figures = block.figures?.get(series)
      return figures ? [figures] : []
    }),
  /** Newest value of a series among them, as one row. */
  last(series: number): Columns {
    const parts = blocks.flatMap((block) => block.last.get(series) ?? [])
    const all = merged(parts.map((part) => part.columns()))
    return between(all, all.t.at(-1) ?? 0, Infinity)
  },
})
