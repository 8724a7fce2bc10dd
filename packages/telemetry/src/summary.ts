import { firstAt, type Columns } from './columns.ts'
import type { Bucket, Value } from './point.ts'

/**
 * Aggregates of consecutive values. `min` to `last` cover the numbers among them and are null
 * without any.
 */
export type Summary = {
  t0: number
  t1: number
  n: number
  numbers: number
  min: number | null
  max: number | null
  sum: number | null
  first: number | null
  last: number | null
}

/** Value as a number for aggregation; undefined for NaN. */
function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value
  return typeof value === 'boolean' ? Number(value) : undefined
}

/** Aggregates of rows `from` to `to` (excluded), at least one. */
export function summarize({ t, v }: Columns, from = 0, to = t.length): Summary {
  const t0 = t[from] ?? 0
  const t1 = t[to - 1] ?? 0
  const summary: Summary = { t0, t1, n: to - from, ...noFigures }
  if (v instanceof Float64Array) return addFigures(summary, v, { from, to })
  const numbers = v.slice(from, to).flatMap((value) => numberOf(value) ?? [])
  return addFigures(summary, Float64Array.from(numbers), { from: 0, to: numbers.length })
}

/** Aggregates of at least one number between two times. */
export const summarizeNumbers = (
  v: Float64Array,
  { t0, t1 }: { t0: number; t1: number },
): Summary => addFigures({ t0, t1, n: v.length, ...noFigures }, v, { from: 0, to: v.length })

const noFigures = { numbers: 0, min: null, max: null, sum: null, first: null, last: null }

/** Loop over plain numbers only, because one chart reads months of values. */
function addFigures(into: Summary, v: Float64Array, { from, to }: { from: number; to: number }) {
  let row = from
  while (row < to && Number.isNaN(v[row])) row += 1
  if (row >= to) return into
  const first = v[row] ?? 0
  let numbers = 0
  let min = first
  let max = first
  let sum = 0
  let last = first
  for (; row < to; row += 1) {
    const value = v[row] ?? 0
    // NaN is the only number that differs from itself.
    if (value !== value) continue // oxlint-disable-line no-self-compare -- a call here would cost as much as the rest
    numbers += 1
    if (value < min) min = value
    else if (value > max) max = value
    sum += value
    last = value
  }
  into.numbers = numbers
  into.min = min
  into.max = max
  into.sum = sum
  into.first = first
  into.last = last
  return into
}

/** Buckets that begin at `since`, then every `width` ms. */
type Widths = { since: number; width: number }

const startIn = ({ since, width }: Widths, t: number) =>
  since + Math.floor((t - since) / width) * width

/** Aggregates of values in order of time, one for each bucket with values. */
export function summarizeBuckets(columns: Columns, widths: Widths): Summary[] {
  const { t } = columns
  const summaries: Summary[] = []
  let row = 0
  while (row < t.length) {
    const next = firstAt(t, startIn(widths, t[row] ?? 0) + widths.width)
    summaries.push(summarize(columns, row, next))
    row = next
  }
  return summaries
}

/** Collector of one series' buckets from parts in order of time. */
export class BucketSeries {
  private readonly starts: number[] = []
  private readonly done: Summary[] = []
  readonly since: number
  readonly width: number
  constructor(since: number, width: number) {
    this.since = since
    this.width = width
  }

  /** Adds values in order of time, all within the range. */
  addColumns(columns: Columns) {
    for (const part of summarizeBuckets(columns, this)) this.addSummary(part)
  }

  /** Adds aggregates of values in one bucket; the object takes ownership of them. */
  addSummary(part: Summary) {
    const start = this.startOf(part.t0)
    const open = this.done.at(-1)
    if (open && this.starts.at(-1) === start) {
      join(open, part)
      return
    }
    this.starts.push(start)
    this.done.push(part)
  }

  /** End of the bucket that contains a time. */
  endAt(t: number) {
    return this.startOf(t) + this.width
  }

  private startOf(t: number) {
    return startIn(this, t)
  }

  buckets(): Bucket[] {
    return this.done.map(({ n, numbers, min, max, sum, first, last, t1 }, at) => {
      const avg = sum === null ? null : sum / numbers
      const start = this.starts[at] ?? 0
      return { start, count: n, min, max, sum, avg, first, last, lastT: t1 }
    })
  }
}

/** Adds aggregates of later values. */
export function join(into: Summary, part: Summary) {
  into.n += part.n
  into.t1 = part.t1
  if (part.numbers === 0) return
  // Of -0 and 0 the first one counts, as in a loop over the values.
  if (into.min === null || (part.min ?? into.min) < into.min) into.min = part.min
  if (into.max === null || (part.max ?? into.max) > into.max) into.max = part.max
  into.sum = (into.sum ?? 0) + (part.sum ?? 0)
  into.first ??= part.first
  into.last = part.last
  into.numbers += part.numbers
}
