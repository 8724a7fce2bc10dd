import { encodeChunk, encodePlain, packTogether, unpacked } from './chunk-codec.ts'
import type { NewChunk } from './chunk-store.ts'
import { runs, type Columns } from './columns.ts'
import { cut } from './cut.ts'
import { slotOf } from './slot.ts'
import { stepsOf } from './steps.ts'
import { summarize } from './summary.ts'

/** Short chunk of one series inside a bundle; `decodeChunk` reads its bytes. */
export type Part = { series: number; t0: number; t1: number; n: number; data: Buffer }
/** Short chunks of the series of one slot, compressed together. */
export type Bundle = { slot: number; version: number; parts: Part[]; raw: number; data: Buffer }
export type Placed = { chunks: NewChunk[]; parts: Part[] }

// Fewest values for a chunk: from here on the cost of a row is small and its summary is useful.
const leastInChunk = 512
const leastBytes = 4096

/** Chunk of a series from values in order of time. */
export const chunkOf = (series: number, version: number, columns: Columns): NewChunk => ({
  series,
  version,
  ...summarize(columns),
  ...stepsOf(columns),
  data: encodeChunk(columns),
})

/**
 * Places values of a series, in order of time, into chunks or into parts of a bundle. Values before
 * `end`, the end of the series' chunks, become chunks, because overlaps are merged by version.
 */
export function place(
  { series, version, end }: { series: number; version: number; end: number },
  columns: Columns,
): Placed {
  const pieces = runs(columns).flatMap(cut)
  const first = columns.t[0]
  const parts =
    first !== undefined && first > end && pieces.every(({ t }) => t.length < leastInChunk)
      ? pieces.map((piece) => partOf(series, piece))
      : []
  if (parts.length > 0 && parts.every(({ data }) => data.length < leastBytes))
    return { chunks: [], parts }
  const filled = pieces.filter(({ t }) => t.length > 0)
  return { chunks: filled.map((piece) => chunkOf(series, version, piece)), parts: [] }
}

const partOf = (series: number, columns: Columns): Part => {
  const t0 = columns.t[0] ?? 0
  const n = columns.t.length
  return { series, t0, t1: columns.t[n - 1] ?? t0, n, data: encodePlain(columns) }
}

/** Bundles of parts, one for each slot. */
export function bundlesOf(parts: Part[], versionOf: (slot: number) => number): Bundle[] {
  const slots = Map.groupBy(parts, ({ series }) => slotOf(series))
  return [...slots].map(([slot, own]) => {
    const pieces = own.map(({ data }) => data)
    const raw = pieces.reduce((sum, { length }) => sum + length, 0)
    return { slot, version: versionOf(slot), parts: own, raw, data: packTogether(pieces) }
  })
}

/** Parts of a bundle, unpacked; `from` and `upto` are their offsets. */
export function partsIn(bundle: {
  series: number[]
  starts: number[]
  ends: number[]
  from: number[]
  upto: number[]
  data: Buffer
}) {
  const bytes = unpacked(bundle.data)
  return bundle.series.map((series, at) => ({
    series,
    t0: bundle.starts[at] ?? 0,
    t1: bundle.ends[at] ?? 0,
    data: bytes.subarray(bundle.from[at], bundle.upto[at]),
  }))
}
