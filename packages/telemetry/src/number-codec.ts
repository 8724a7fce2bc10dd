import { type ByteReader, ByteWriter } from './bytes.ts'

export const differences = 1
const changesOfDifference = 2
export const bits = 0
/** Form: differences, preceded by the few values that are not scaled numbers. */
export const patched = 3
// Second differences of such numbers still fit a varint.
const largestWhole = 2 ** 49
export const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

/**
 * Encodes whole or decimal numbers as differences of scaled integers when that is exact, all others
 * bit by bit. A few exceptions, such as -0 or NaN, are stored separately.
 */
export function encodeNumbers(out: ByteWriter, v: Float64Array) {
  const scaled = asScaled(v)
  if (!scaled) {
    out.byte(bits)
    writeBits(out, v)
    return
  }
  if (scaled.odd.length > 0) {
    out.byte(patched)
    writeOdd(out, v, scaled.odd)
  }
  const once = new ByteWriter(v.length * 2)
  const twice = new ByteWriter(v.length * 2)
  let before = 0
  let step = 0
  for (const whole of scaled.whole) {
    const difference = whole - before
    once.signed(difference)
    twice.signed(difference - step)
    before = whole
    step = difference
  }
  const counter = twice.length < once.length
  out.byte(counter ? changesOfDifference : differences)
  out.byte(scaled.digits)
  out.raw((counter ? twice : once).done())
}

/** Decodes into `v`, which has the right length. */
export function decodeNumbers(reader: ByteReader, v: Float64Array): Float64Array {
  const mode = reader.byte()
  if (mode === bits) return new BitPlanes(reader, v.length).read(v)
  if (mode === patched) {
    const odd = readOdd(reader)
    decodeNumbers(reader, v)
    for (const { row, value } of odd) v[row] = value
    return v
  }
  const scale = powers[reader.byte()] ?? 1
  if (mode === differences) readDifferences(reader, v, scale)
  else readNumberChanges(reader, v, scale)
  return v
}

/**
 * Reads differences in a tight loop for one- and two-byte ones, because one chart reads months of
 * values.
 */
function readDifferences(reader: ByteReader, v: Float64Array, scale: number) {
  const { bytes } = reader
  const count = v.length
  let at = reader.at
  let whole = 0
  for (let row = 0; row < count; row += 1) {
    const byte = bytes[at] ?? 0
    if (byte < 128) {
      at += 1
      whole += (byte >>> 1) ^ -(byte & 1)
    } else {
      const next = bytes[at + 1] ?? 0
      if (next < 128) {
        const zigzag = (byte & 127) | (next << 7)
        at += 2
        whole += (zigzag >>> 1) ^ -(zigzag & 1)
      } else {
        reader.at = at
        whole += reader.signed()
        at = reader.at
      }
    }
    v[row] = whole / scale
  }
  reader.at = at
}

function readNumberChanges(reader: ByteReader, v: Float64Array, scale: number) {
  let whole = 0
  let step = 0
  for (let row = 0; row < v.length; row += 1) {
    step += reader.signed()
    whole += step
    v[row] = whole / scale
  }
}

/**
 * True when `value * 10^digits` is a whole number from which `value` can be restored exactly; never
 * for -0 and NaN.
 */
export function isScaled(value: number, digits: number) {
  const scale = powers[digits] ?? 1
  const whole = Math.round(value * scale)
  return (
    whole / scale === value &&
    whole <= largestWhole &&
    whole >= -largestWhole &&
    (whole !== 0 || 1 / value > 0)
  )
}

// Largest share of exceptions; with more, all values are written bit by bit.
const mostOdd = 1 / 16

function asScaled(v: Float64Array) {
  const most = v.length * mostOdd
  let digits = 0
  let without = 0
  for (const value of v) {
    if (isScaled(value, digits)) continue
    const needed = digitsOf(value, digits)
    if (needed !== undefined) digits = needed
    else if (++without > most) return undefined
  }
  const scale = powers[digits] ?? 1
  const whole = new Float64Array(v.length)
  const odd: number[] = []
  for (let row = 0; row < v.length; row += 1) {
    const value = v[row] ?? 0
    // A larger number before may be inexact with the digits that a later one needs.
    if (isScaled(value, digits)) whole[row] = Math.round(value * scale)
    else {
      odd.push(row)
      whole[row] = whole[row - 1] ?? 0
    }
  }
  return odd.length > most ? undefined : { digits, whole, odd }
}

/** Number of decimal digits of a value, at least `digits`; undefined when it cannot be scaled. */
function digitsOf(value: number, digits: number) {
  for (let more = digits; more < powers.length; more += 1) if (isScaled(value, more)) return more
  return undefined
}

/**
 * Writes the rows of exceptions as doubled distances; after an odd number the value follows, an
 * even one means -0.
 */
function writeOdd(out: ByteWriter, v: Float64Array, rows: number[]) {
  out.varint(rows.length)
  let before = 0
  for (const row of rows) {
    const value = v[row] ?? 0
    const negativeZero = Object.is(value, -0)
    out.varint((row - before) * 2 + (negativeZero ? 0 : 1))
    if (!negativeZero) out.double(value)
    before = row
  }
}

/** Exception among scaled numbers, with its row. */
export type OddRow = { row: number; value: number }

export function readOdd(reader: ByteReader): OddRow[] {
  let row = 0
  return Array.from({ length: reader.varint() }, () => {
    const code = reader.varint()
    row += code >>> 1
    return { row, value: code % 2 === 0 ? -0 : reader.double() }
  })
}

/**
 * Writes each number XOR the one before, grouped by byte position: sign, exponent and leading
 * digits of a signal hardly change, so their planes compress well.
 */
function writeBits(out: ByteWriter, v: Float64Array) {
  const count = v.length
  const words = new Uint32Array(v.slice().buffer)
  const planes = new Uint8Array(count * 8)
  let low = 0
  let high = 0
  for (let row = 0; row < count; row += 1) {
    const newLow = words[row * 2] ?? 0
    const newHigh = words[row * 2 + 1] ?? 0
    const a = newLow ^ low
    const b = newHigh ^ high
    for (let plane = 0; plane < 4; plane += 1) {
      planes[plane * count + row] = a >>> (plane * 8)
      planes[(plane + 4) * count + row] = b >>> (plane * 8)
    }
    low = newLow
    high = newHigh
  }
  out.raw(planes)
}

/** Sequential reader of the numbers that `writeBits` wrote. */
export class BitPlanes {
  private readonly planes: Buffer
  private readonly count: number
  private row = 0
  private low = 0
  private high = 0
  constructor(reader: ByteReader, count: number) {
    this.planes = reader.raw(count * 8)
    if (this.planes.length < count * 8) throw new Error('A stored block ends too early')
    this.count = count
  }

  /** Fills `v` with the next numbers. */
  read(v: Float64Array): Float64Array {
    const { planes, count } = this
    const words = new Uint32Array(v.buffer, v.byteOffset, v.length * 2)
    let { low, high } = this
    for (let at = 0; at < v.length; at += 1) {
      const row = this.row + at
      low ^= wordAt(planes, row, count)
      high ^= wordAt(planes, row + 4 * count, count)
      words[at * 2] = low
      words[at * 2 + 1] = high
    }
    this.row += v.length
    this.low = low
    this.high = high
    return v
  }

  /** Skips numbers; `last` is the last of them, if known. */
  skip(rows: number, last?: number) {
    if (last === undefined) {
      this.read(new Float64Array(rows))
      return
    }
    const [low = 0, high = 0] = new Uint32Array(Float64Array.of(last).buffer)
    this.row += rows
    this.low = low
    this.high = high
  }
}

/** 32-bit word of a row from four byte planes, the lowest first. */
const wordAt = (planes: Buffer, row: number, count: number) =>
  (planes[row] ?? 0) |
  ((planes[row + count] ?? 0) << 8) |
  ((planes[row + 2 * count] ?? 0) << 16) |
  ((planes[row + 3 * count] ?? 0) << 24)
