import type { Columns } from './columns.ts'
import { encodeHead } from './head-codec.ts'
import type { Summary } from './summary.ts'

/** Values of one series between two times, in order of time. */
type ValuesPart = { series: number; columns: Columns }
/** Aggregates of one series by bucket, for each run of values without an unusual gap. */
type FiguresPart = { series: number; figures: Summary[][] }
export type TailPart = ValuesPart | FiguresPart

/** Numbers before the values of a part: series, rows, form, and bytes of the values without times. */
const headNumbers = 4
const forms = { numbers: 0, graded: 1, others: 2, figures: 3 }
/** Fewest bytes of a value: differences of series and time, and its kind. Known before long texts are encoded. */
const leastBytes = 3
/** Form of the whole; each part begins at a multiple of 8 bytes. */
const start = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])
const padded = (bytes: number) => Math.ceil(bytes / 8) * 8

/**
 * Encodes parts as they are in memory, so that writing and reading cost little more than copying: numbers and
 * times as doubles of 8 bytes (little-endian, as all processors are that this runs on), other values as in the
 * write-ahead table. Undefined when the result would be larger than `mostBytes`.
 */
export function encodeParts(parts: Iterable<TailPart>, mostBytes: number): Buffer | undefined {
  const out: Uint8Array[] = [start]
  let length = start.length
  for (const part of parts) {
    if ('columns' in part && length + part.columns.t.length * leastBytes > mostBytes)
      return undefined
    for (const bytes of 'columns' in part ? encodedPart(part) : encodedFigures(part)) {
      out.push(bytes)
      length += bytes.length
    }
    if (length > mostBytes) return undefined
  }
  return Buffer.concat(out, length)
}

function encodedPart({ series, columns: { t, v, q } }: ValuesPart): Uint8Array[] {
  if (v instanceof Float64Array) {
    const form = q ? forms.graded : forms.numbers
    const grades = q ? [paddedCopy(q)] : []
    const bytes = v.byteLength + (grades[0]?.length ?? 0)
    return [headOf(series, t.length, form, bytes), bytesOf(t), bytesOf(v), ...grades]
  }
  const ids = Array.from(t, () => series)
  const batch = { series: ids, t: [...t], v, lastOnly: false, ...(q && { q: [...q] }) }
  const data = encodeHead([batch])
  return [headOf(series, t.length, forms.others, data.length), paddedCopy(data)]
}

/** Numbers of one summary. */
const summaryNumbers = 9
/** Size in bytes of figures without the head of their part. */
export const figuresBytes = (figures: readonly Summary[][]) =>
  figures.reduce((sum, run) => sum + 1 + run.length * summaryNumbers, 0) * 8

/** For each run the number of its summaries, then these. */
function encodedFigures({ series, figures }: FiguresPart): Uint8Array[] {
  const numbers = new Float64Array(figuresBytes(figures) / 8)
  let at = 0
  for (const run of figures) {
    numbers[at++] = run.length
    for (const { t0, t1, n, numbers: count, min, max, sum, first, last } of run)
      for (const number of [t0, t1, n, count, min, max, sum, first, last])
        numbers[at++] = number ?? 0
  }
  return [headOf(series, figures.length, forms.figures, numbers.byteLength), bytesOf(numbers)]
}

function decodedFigures(numbers: Float64Array): Summary[][] {
  const figures: Summary[][] = []
  let at = 0
  while (at < numbers.length) {
    const length = numbers[at++] ?? 0
    figures.push(
      Array.from({ length }, (_, nth) =>
        summaryIn(numbers.subarray(at + nth * summaryNumbers, at + (nth + 1) * summaryNumbers)),
      ),
    )
    at += length * summaryNumbers
  }
  return figures
}

/** One summary; without numbers its figures are null. */
function summaryIn(row: Float64Array): Summary {
  const figure = (at: number) => row[at] ?? 0
  const counts = { t0: figure(0), t1: figure(1), n: figure(2), numbers: figure(3) }
  if (counts.numbers === 0)
    return { ...counts, min: null, max: null, sum: null, first: null, last: null }
  const [min, max, sum, first, last] = [figure(4), figure(5), figure(6), figure(7), figure(8)]
  return { ...counts, min, max, sum, first, last }
}

const headOf = (...numbers: [number, number, number, number]) => bytesOf(Uint32Array.from(numbers))

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

function paddedCopy(bytes: Uint8Array) {
  const copy = new Uint8Array(padded(bytes.length))
  copy.set(bytes)
  return copy
}

/** Part of an answer: numbers as columns, other values as a block of the write-ahead table, or figures. */
type DecodedPart = { series: number; block: Uint8Array } | TailPart

export function* decodeParts(data: Uint8Array): Generator<DecodedPart> {
  if (data[0] !== start[0]) throw new Error('values of another process have an unknown form')
  // Typed arrays begin at multiples of their size, and a message may begin anywhere.
  const { buffer } = Uint8Array.from(data)
  let at = start.length
  while (at < data.length) {
    const [series = 0, rows = 0, form = 0, bytes = 0] = new Uint32Array(buffer, at, headNumbers)
    at += headNumbers * 4
    if (form === forms.others) yield { series, block: new Uint8Array(buffer, at, bytes) }
    else if (form === forms.figures)
      yield { series, figures: decodedFigures(new Float64Array(buffer, at, bytes / 8)) }
    else {
      const t = new Float64Array(buffer, at, rows)
      const v = new Float64Array(buffer, at + rows * 8, rows)
      const q = form === forms.graded ? new Uint8Array(buffer, at + rows * 16, rows) : undefined
      at += rows * 8
      yield { series, columns: { t, v, q } }
    }
    at += padded(bytes)
  }
}
