import type { Columns } from './columns.ts'
import { encodeHead } from './head-codec.ts'

/** Values of one series between two times, in order of time. */
type TailPart = { series: number; columns: Columns }

/** Numbers before the values of a part: series, rows, form, and bytes of the values without times. */
const headNumbers = 4
const forms = { numbers: 0, graded: 1, others: 2 }
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
    if (length + part.columns.t.length * leastBytes > mostBytes) return undefined
    for (const bytes of encodedPart(part)) {
      out.push(bytes)
      length += bytes.length
    }
    if (length > mostBytes) return undefined
  }
  return Buffer.concat(out, length)
}

function encodedPart({ series, columns: { t, v, q } }: TailPart): Uint8Array[] {
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

const headOf = (...numbers: [number, number, number, number]) => bytesOf(Uint32Array.from(numbers))

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

function paddedCopy(bytes: Uint8Array) {
  const copy = new Uint8Array(padded(bytes.length))
  copy.set(bytes)
  return copy
}

/** Part of an answer: numbers as columns, other values as a block of the write-ahead table. */
type DecodedPart = { series: number } & ({ columns: Columns } | { block: Uint8Array })

export function* decodeParts(data: Uint8Array): Generator<DecodedPart> {
  if (data[0] !== start[0]) throw new Error('values of another process have an unknown form')
  // Typed arrays begin at multiples of their size, and a message may begin anywhere.
  const { buffer } = Uint8Array.from(data)
  let at = start.length
  while (at < data.length) {
    const [series = 0, rows = 0, form = 0, bytes = 0] = new Uint32Array(buffer, at, headNumbers)
    at += headNumbers * 4
    if (form === forms.others) yield { series, block: new Uint8Array(buffer, at, bytes) }
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
