import type { Columns } from './columns.ts'
import { firstAt, rows } from './columns.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/**
 * Chunks end at multiples of such a span (UTC), so that a query for a day or an hour reads whole
 * chunks.
 */
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
/** Largest chunk in values; a larger one would make short queries decode too much. */
export const mostInChunk = 9000
/** Chunks with fewer values are merged with their neighbours. */
export const smallChunk = 1500

/** Splits values in order of time into chunks. */
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
    // A burst may have more values in its span than a chunk may hold.
    let to = Math.min(firstAt(t, end), from + mostInChunk)
    // A few values after the cut are not worth a chunk.
    if (length - to < smallChunk / 10 && length - from <= mostInChunk) to = length
    parts.push(rows(columns, from, to))
    from = to
  }
  return parts
}
