import { ByteReader, ByteWriter } from './bytes.ts'
import { type Columns, firstAt } from './columns.ts'
import { decodeNumbers, encodeNumbers } from './number-codec.ts'
import { summarize, type Summary } from './summary.ts'

const hour = 3_600_000
const widths = [hour, 6 * hour, 24 * hour]
/** Shortest step; all others are multiples of it. */
export const leastStep = hour
/** With fewer values, a step costs more than the decoding it avoids. */
const leastValues = 100
const leastSteps = 4

/**
 * Aggregates of a chunk for consecutive spans of one width (UTC), from which buckets of whole spans
 * are made.
 */
export type Steps = { step: number; steps: Buffer }
export const noSteps: Steps = { step: 0, steps: Buffer.alloc(0) }

/** Aggregates by hour, six hours or day, for chunks where that avoids enough decoding. */
export function stepsOf(columns: Columns): Steps {
  const { t } = columns
  const first = t[0] ?? 0
  const last = t.at(-1) ?? first
  const spansOf = (width: number) => Math.floor(last / width) - Math.floor(first / width) + 1
  const step = widths.find((width) => t.length >= leastValues * spansOf(width))
  if (step === undefined || spansOf(step) < leastSteps) return noSteps
  const parts: Summary[] = []
  for (let row = 0; row < t.length;) {
    const end = firstAt(t, (Math.floor((t[row] ?? 0) / step) + 1) * step)
    parts.push(summarize(columns, row, end))
    row = end
  }
  return { step, steps: encodeSteps(parts, step) }
}

const figures = ['min', 'max', 'sum', 'first', 'last'] as const

function encodeSteps(parts: Summary[], step: number): Buffer {
  const out = new ByteWriter(32 + parts.length * 40)
  out.varint(parts.length)
  out.varint(step)
  let before = { place: 0, from: 0, to: 0, n: 0 }
  for (const { t0, t1, n, numbers } of parts) {
    const place = Math.floor(t0 / step)
    const now = { place, from: t0 - place * step, to: t1 - place * step, n }
    out.signed(now.place - before.place)
    out.signed(now.from - before.from)
    out.signed(now.to - before.to)
    out.signed(now.n - before.n)
    out.varint(n - numbers)
    before = now
  }
  const filled = parts.filter(({ numbers }) => numbers > 0)
  for (const figure of figures)
    encodeNumbers(
      out,
      Float64Array.from(filled, (part) => part[figure] ?? 0),
    )
  return Buffer.from(out.done())
}

/** Aggregates of each span with values, in order of time. */
export class StoredSteps {
  readonly count: number
  private readonly spans: Float64Array
  private readonly figures: Float64Array[]
  /** Position of each span's aggregates; -1 for spans without a number. */
  private readonly filled: Int32Array
  constructor(data: Buffer) {
    const reader = new ByteReader(data)
    this.count = reader.varint()
    this.spans = new Float64Array(this.count * 4)
    this.filled = new Int32Array(this.count)
    const filled = this.readSpans(reader)
    this.figures = figures.map(() => decodeNumbers(reader, new Float64Array(filled)))
  }

  private readSpans(reader: ByteReader) {
    const { spans } = this
    const step = reader.varint()
    let start = 0
    let from = 0
    let to = 0
    let n = 0
    let filled = 0
    for (let at = 0; at < this.count; at += 1) {
      start += reader.signed() * step
      from += reader.signed()
      to += reader.signed()
      n += reader.signed()
      const numbers = n - reader.varint()
      spans[at * 4] = start + from
      spans[at * 4 + 1] = start + to
      spans[at * 4 + 2] = n
      spans[at * 4 + 3] = numbers
      this.filled[at] = numbers > 0 ? filled++ : -1
    }
    return filled
  }

  /** Time of the first value of a span; `t1` is that of the last, `n` their number. */
  t0(at: number) {
    return this.spans[at * 4] ?? 0
  }
  t1(at: number) {
    return this.spans[at * 4 + 1] ?? 0
  }
  n(at: number) {
    return this.spans[at * 4 + 2] ?? 0
  }

  /** Last value of a span that has only numbers. */
  last(at: number) {
    const all = this.spans[at * 4 + 3] === this.n(at)
    return all ? this.figures[4]?.[this.filled[at] ?? 0] : undefined
  }

  summary(at: number): Summary {
    const filled = this.filled[at] ?? -1
    const figure = (index: number) => (filled < 0 ? null : (this.figures[index]?.[filled] ?? null))
    return {
      t0: this.t0(at),
      t1: this.t1(at),
      n: this.n(at),
      numbers: this.spans[at * 4 + 3] ?? 0,
      min: figure(0),
      max: figure(1),
      sum: figure(2),
      first: figure(3),
      last: figure(4),
    }
  }
}

export function decodeSteps(data: Buffer): Summary[] {
  const steps = new StoredSteps(data)
  return Array.from({ length: steps.count }, (_, at) => steps.summary(at))
}
