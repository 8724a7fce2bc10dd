import { type ByteReader, ByteWriter } from './bytes.ts'

export const differences = 1
const changesOfDifference = 2
const bits = 0
/** Differences, in front of which stand the few values that are no scaled numbers. */
const patched = 3
// Differences of differences of such numbers still fit a varint.
const largestWhole = 2 ** 49
export const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

/**
 * Whole or decimal numbers as differences of scaled integers, where that is exact; all others bit by
 * bit. A few odd ones among them, as a rounded -0 or a NaN, go beside the differences.
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

/** Fills `v`, which has the right length, or gives an array of its own. */
export function decodeNumbers(reader: ByteReader, v: Float64Array): Float64Array {
  const mode = reader.byte()
  if (mode === bits) return readBits(reader, v.length)
  if (mode === patched) {
    const odd = readOdd(reader)
    decodeNumbers(reader, v)
    for (const [row, value] of odd) v[row] = value
    return v
  }
  const scale = powers[reader.byte()] ?? 1
  if (mode === differences) readDifferences(reader, v, scale)
  else readChanges(reader, v, scale)
  return v
}

/** Months of values go through this loop for one chart: most differences are one byte, or two. */
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

function readChanges(reader: ByteReader, v: Float64Array, scale: number) {
  let whole = 0
  let step = 0
  for (let row = 0; row < v.length; row += 1) {
    step += reader.signed()
    whole += step
    v[row] = whole / scale
  }
}

/** Whether `value * 10^digits` is a whole number that gives exactly `value` back; -0 and NaN never are. */
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

// So large a part of the values may be odd before all are written bit by bit.
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
    // A large number earlier on may not bear the digits that a later one needed.
    if (isScaled(value, digits)) whole[row] = Math.round(value * scale)
    else {
      odd.push(row)
      whole[row] = whole[row - 1] ?? 0
    }
  }
  return odd.length > most ? undefined : { digits, whole, odd }
}

/** How many digits behind the point a value has, at least `digits`; undefined when it is odd. */
function digitsOf(value: number, digits: number) {
  for (let more = digits; more < powers.length; more += 1) if (isScaled(value, more)) return more
  return undefined
}

/** Rows as distances from the one before, doubled; odd distances are followed by a value, others mean -0. */
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

function readOdd(reader: ByteReader): [number, number][] {
  let row = 0
  return Array.from({ length: reader.varint() }, () => {
    const code = reader.varint()
    row += code >>> 1
    return [row, code % 2 === 0 ? -0 : reader.double()]
  })
}

/**
 * Each number XOR the one before, then all first bytes, all second bytes and so on: the sign,
 * exponent and leading digits of a signal hardly change, and their planes compress to little.
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

function readBits(reader: ByteReader, count: number) {
  const planes = reader.raw(count * 8)
  const words = new Uint32Array(count * 2)
  let low = 0
  let high = 0
  for (let row = 0; row < count; row += 1) {
    let a = 0
    let b = 0
    for (let plane = 3; plane >= 0; plane -= 1) {
      a = (a << 8) | (planes[plane * count + row] ?? 0)
      b = (b << 8) | (planes[(plane + 4) * count + row] ?? 0)
    }
    low ^= a
    high ^= b
    words[row * 2] = low
    words[row * 2 + 1] = high
  }
  return new Float64Array(words.buffer)
}
