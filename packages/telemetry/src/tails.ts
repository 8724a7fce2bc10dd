import { decodeHead, encodeHead, type HeadBatch } from './head-codec.ts'
import { between, emptyColumns, merged, PointBuffer, type Columns } from './columns.ts'
import type { Live } from './live.ts'

/** Values of some series that are asked for: those between two times, or the newest of each. */
export type TailRange = { series: number[]; since: number; to: number; newest: boolean }

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

/** Answer to a question from the memory of this process; `noTail` when it would be too large. */
export function tailOf(live: Live, { series, since, to, newest }: TailRange): Uint8Array {
  const batch: Required<HeadBatch> = { series: [], t: [], v: [], q: [], lastOnly: newest }
  const add = (id: number, { t, v, q }: Columns) => {
    for (let row = 0; row < t.length; row += 1) {
      batch.series.push(id)
      batch.t.push(t[row] ?? 0)
      batch.v.push(v[row] ?? null)
      batch.q.push(q?.[row] ?? 0)
    }
  }
  for (const id of series) {
    if (batch.t.length > mostBytes) return noTail
    for (const columns of newest ? newestOf(live, id) : live.columns(id, since, to))
      add(id, columns)
  }
  const data = encodeHead([batch])
  return data.length > mostBytes ? noTail : data
}

function newestOf(live: Live, id: number): Columns[] {
  const point = live.newest(id)
  return point ? [{ t: Float64Array.of(point.t), v: [point.v], q: Uint8Array.of(point.q) }] : []
}

/** Values of some series, from an answer or a block of the write-ahead table. */
export type TailBlock = { series: Map<number, PointBuffer>; last: Map<number, PointBuffer> }

export function decodeTail(data: Uint8Array): TailBlock {
  const block: TailBlock = { series: new Map(), last: new Map() }
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
  /** Newest value of a series among them, as one row. */
  last(series: number): Columns {
    const parts = blocks.flatMap((block) => block.last.get(series) ?? [])
    const all = merged(parts.map((part) => part.columns()))
    return between(all, all.t.at(-1) ?? 0, Infinity)
  },
})
