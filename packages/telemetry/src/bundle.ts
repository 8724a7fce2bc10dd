import { encodeChunk, encodePlain, packTogether, unpacked } from './chunk-codec.ts'
import type { NewChunk } from './chunk-store.ts'
import { runs, type Columns } from './columns.ts'
import { cut } from './cut.ts'
import { stepsOf } from './steps.ts'
import { summarize } from './summary.ts'

/** A short chunk of one series as it lies in a bundle; `decodeChunk` reads its bytes. */
export type Part = { series: number; t0: number; t1: number; n: number; data: Buffer }
/** Short chunks of the series of one slot, compressed together. */
export type Bundle = { slot: number; version: number; parts: Part[]; raw: number; data: Buffer }
export type Placed = { chunks: NewChunk[]; parts: Part[] }

// 256 series, as the view `part` has it: their bytes fill pages well and are unpacked in a tenth of a millisecond.
export const slotBits = 8
/** The series whose short chunks lie together: neighbours by id, and so mostly of one device. */
export const slotOf = (series: number) => series >> slotBits

// From here on the cost of a row of its own is small beside its values, and its figures are worth having.
const leastInChunk = 512
const leastBytes = 4096

/** Values in order of time as a chunk of a series. */
export const chunkOf = (series: number, version: number, columns: Columns): NewChunk => ({
  series,
  version,
  ...summarize(columns),
  ...stepsOf(columns),
  data: encodeChunk(columns),
})

/**
 * Values of a series, in order of time, as chunks or as parts of a bundle. What reaches back to
 * `end`, where the chunks of the series end, becomes chunks: these are merged by version.
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

/** One bundle for each slot. */
export function bundlesOf(parts: Part[], versionOf: (slot: number) => number): Bundle[] {
  const slots = Map.groupBy(parts, ({ series }) => slotOf(series))
  return [...slots].map(([slot, own]) => {
    const pieces = own.map(({ data }) => data)
    const raw = pieces.reduce((sum, { length }) => sum + length, 0)
    return { slot, version: versionOf(slot), parts: own, raw, data: packTogether(pieces) }
  })
}

/** Parts of a bundle as they were before they were packed; `from` and `upto` say where each lies. */
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
