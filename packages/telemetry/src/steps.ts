import { ByteReader, ByteWriter } from './bytes.ts'
import { type Columns, firstAt } from './columns.ts'
import { decodeNumbers, encodeNumbers } from './number-codec.ts'
import { summarize, type Summary } from './summary.ts'

const hour = 3_600_000
const widths = [hour, 6 * hour, 24 * hour]
/** With fewer values a step costs more than decoding them saves. */
const leastValues = 100
const leastSteps = 4

/** The figures of a chunk's values by spans of UTC of one width: what buckets of whole spans are made of. */
export type Steps = { step: number; steps: Buffer }
export const noSteps: Steps = { step: 0, steps: Buffer.alloc(0) }

/** Figures by the hour, six hours or day, for chunks of which that saves decoding. */
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

/** The figures of each span that holds a value, in order of time. */
export function decodeSteps(data: Buffer): Summary[] {
  const reader = new ByteReader(data)
  const count = reader.varint()
  const step = reader.varint()
  const parts: Summary[] = []
  let place = 0
  let from = 0
  let to = 0
  let n = 0
  for (let at = 0; at < count; at += 1) {
    place += reader.signed()
    from += reader.signed()
    to += reader.signed()
    n += reader.signed()
    const start = place * step
    parts.push({ t0: start + from, t1: start + to, n, numbers: n - reader.varint(), ...none })
  }
  const filled = parts.filter(({ numbers }) => numbers > 0)
  for (const figure of figures) {
    const values = decodeNumbers(reader, new Float64Array(filled.length))
    for (const [at, part] of filled.entries()) part[figure] = values[at] ?? null
  }
  return parts
}
const none = { min: null, max: null, sum: null, first: null, last: null }
