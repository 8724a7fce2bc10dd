import type { Columns } from './columns.ts'
import { firstAt, rows } from './columns.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** Chunks end where a span of this length ends (UTC), so that a day or an hour asked for is whole chunks. */
const spans = [
  1000,
  5000,
  15_000,
  minute,
  5 * minute,
  15 * minute,
  hour,
  6 * hour,
  day,
  4 * day,
  16 * day,
  64 * day,
  256 * day,
  1024 * day,
  4096 * day,
]
/** More would make a short query decode too much. */
export const mostInChunk = 9000
/** Chunks below this are joined with their neighbours. */
export const smallChunk = 1500

/** Split values in order of time into the parts that become chunks. */
export function cut(columns: Columns): Columns[] {
  const { t } = columns
  const length = t.length
  if (length <= smallChunk) return length === 0 ? [] : [columns]
  const duration = Math.max(1, (t[length - 1] ?? 0) - (t[0] ?? 0))
  const fits = (span: number) => (length * span) / duration <= mostInChunk
  const span = spans.findLast(fits) ?? 1000
  const parts: Columns[] = []
  let from = 0
  while (from < length) {
    const end = Math.floor((t[from] ?? 0) / span) * span + span
    // A burst may hold more than its span should.
    let to = Math.min(firstAt(t, end), from + mostInChunk)
    // A few values behind the cut are not worth a chunk.
    if (length - to < smallChunk / 10 && length - from <= mostInChunk) to = length
    parts.push(rows(columns, from, to))
    from = to
  }
  return parts
}
