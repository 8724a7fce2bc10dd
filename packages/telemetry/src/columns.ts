import type { Value } from './point.ts'
import { newestRows } from './time-order.ts'

/**
 * Values of one series in columns. `v` is a `Float64Array` while all values are numbers; `q` is
 * absent while all are good.
 */
export type Columns = { t: Float64Array; v: Float64Array | Value[]; q: Uint8Array | undefined }

export const emptyColumns: Columns = {
  t: new Float64Array(0),
  v: new Float64Array(0),
  q: undefined,
}

/** Growing buffer for values of one series, in order of arrival. */
export class PointBuffer {
  length = 0
  /** Memory used, in units of one number. */
  weight = 0
  private t: Float64Array
  private v: Float64Array | Value[]
  private q: Uint8Array | undefined
  private ordered = true
  private newest = -Infinity
  /** Initial capacity; growing copies the arrays and leaves garbage. */
  constructor(room = 8) {
    this.t = new Float64Array(room)
    this.v = new Float64Array(room)
  }

  push(t: number, v: Value, q: number) {
    const at = this.length
    if (at === this.t.length) this.grow()
    if (t <= this.newest) this.ordered = false
    else this.newest = t
    this.t[at] = t
    if (this.v instanceof Float64Array) {
      if (typeof v === 'number') this.v[at] = v
      else this.v = [...this.v.subarray(0, at), v]
    } else this.v[at] = v
    if (q !== 0 && !this.q) this.q = new Uint8Array(this.t.length)
    if (this.q) this.q[at] = q
    this.length = at + 1
  }

  private grow() {
    const size = this.t.length * 2
    this.t = copied(this.t, new Float64Array(size))
    if (this.v instanceof Float64Array) this.v = copied(this.v, new Float64Array(size))
    if (this.q) this.q = copied(this.q, new Uint8Array(size))
  }

  /** Values so far in order of time, each time once. Later values do not appear in it. */
  columns(): Columns {
    const columns = {
      // Later values are written behind this part or into larger arrays, so no copy is needed.
      t: this.t.subarray(0, this.length),
      v:
        this.v instanceof Float64Array
          ? this.v.subarray(0, this.length)
          : this.v.slice(0, this.length),
      q: this.q?.subarray(0, this.length),
    }
    return this.ordered ? columns : newestWins(columns)
  }

  /** Times of the oldest and newest value; undefined when empty. */
  span() {
    if (this.length === 0) return undefined
    const first = this.t[0] ?? this.newest
    if (this.ordered) return { from: first, to: this.newest }
    return {
      from: this.t.subarray(0, this.length).reduce((a, b) => Math.min(a, b)),
      to: this.newest,
    }
  }

  /** True when a value may lie in `[since, to)`; much cheaper than taking the columns. */
  touches(since: number, to: number) {
    if (this.length === 0 || this.newest < since) return false
    return !this.ordered || (this.t[0] ?? Infinity) < to
  }
}

/** Array `to` with the content of `from` at its start. */
export function copied<T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T) {
  to.set(from)
  return to
}

/** Values in order of time; of several at one time the last one remains. */
export const newestWins = (columns: Columns): Columns => pick(columns, newestRows(columns.t))

function pick({ t, v, q }: Columns, rows: Int32Array): Columns {
  return {
    t: picked(t, rows, new Float64Array(rows.length)),
    v:
      v instanceof Float64Array
        ? picked(v, rows, new Float64Array(rows.length))
        : Array.from(rows, (row) => v[row] ?? null),
    q: q && picked(q, rows, new Uint8Array(rows.length)),
  }
}

function picked<T extends Float64Array | Uint8Array>(from: T, rows: Int32Array, to: T) {
  for (let at = 0; at < rows.length; at += 1) to[at] = from[rows[at] ?? 0] ?? 0
  return to
}

/** Merges parts that are each in order of time; at equal times the later part wins. */
export function merged(parts: Columns[]): Columns {
  const filled = parts.filter((part) => part.t.length > 0)
  if (filled.length <= 1) return filled[0] ?? emptyColumns
  const inTime = filled.toSorted((a, b) => (a.t[0] ?? 0) - (b.t[0] ?? 0))
  const apart = inTime.every(({ t }, at) => {
    const before = inTime[at - 1]?.t.at(-1)
    return before === undefined || before < (t[0] ?? 0)
  })
  return apart ? concatenated(inTime) : newestWins(concatenated(filled))
}

const leastGap = 3_600_000
const mostRuns = 64

/**
 * Splits at unusually long gaps, so that a few late values do not make one chunk span everything in
 * between.
 */
export function runs(columns: Columns): Columns[] {
  const { t } = columns
  if ((t.at(-1) ?? 0) - (t[0] ?? 0) <= leastGap) return [columns]
  const gap = Math.max(leastGap, 32 * usualStep(t))
  const cuts = [0]
  for (let row = 1; row < t.length; row += 1)
    if ((t[row] ?? 0) - (t[row - 1] ?? 0) > gap) cuts.push(row)
  if (cuts.length > mostRuns) return [columns]
  return cuts.map((from, at) => rows(columns, from, cuts[at + 1] ?? t.length))
}

/** Median of a sample of the steps, which gaps and bursts do not distort. */
export function usualStep(t: Float64Array) {
  if (t.length < 2) return 1
  const sample = Math.max(1, Math.floor(t.length / 16))
  const steps = new Float64Array(Math.ceil((t.length - 1) / sample))
  for (let at = 0; at < steps.length; at += 1) {
    const row = 1 + at * sample
    steps[at] = (t[row] ?? 0) - (t[row - 1] ?? 0)
  }
  steps.sort() // a typed array sorts as numbers
  return steps[(steps.length - 1) >> 1] ?? 1
}

function concatenated(parts: Columns[]): Columns {
  const length = parts.reduce((sum, part) => sum + part.t.length, 0)
  const t = new Float64Array(length)
  const numeric = parts.every((part) => part.v instanceof Float64Array)
  const numbers = new Float64Array(numeric ? length : 0)
  const values: Value[] = []
  const q = parts.some((part) => part.q) ? new Uint8Array(length) : undefined
  let at = 0
  for (const part of parts) {
    t.set(part.t, at)
    if (numeric) numbers.set(part.v as Float64Array, at) // checked by `numeric`
    else for (const value of part.v) values.push(value)
    if (part.q) q?.set(part.q, at)
    at += part.t.length
  }
  return { t, v: numeric ? numbers : values, q }
}

/** Rows `from` to `to` (excluded), which share memory with `columns`. */
export function rows({ t, v, q }: Columns, from: number, to: number): Columns {
  if (from === 0 && to === t.length) return { t, v, q }
  return {
    t: t.subarray(from, to),
    v: v instanceof Float64Array ? v.subarray(from, to) : v.slice(from, to),
    q: q?.subarray(from, to),
  }
}

/** Rows with `since <= t < to`. */
export const between = (columns: Columns, since: number, to: number) =>
  rows(columns, firstAt(columns.t, since), firstAt(columns.t, to))

/** Index of the first row at or after `time`. */
export function firstAt(t: Float64Array, time: number) {
  let low = 0
  let high = t.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((t[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
