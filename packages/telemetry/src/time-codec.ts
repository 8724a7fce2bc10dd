import { type ByteReader, ByteWriter } from './bytes.ts'
import { firstAt, usualStep } from './columns.ts'
import type { Room } from './value-codec.ts'

const steady = 1
const grid = 2
const deltaOfDelta = 0

/**
 * Encodes strictly increasing whole ms in the smallest of three forms: a fixed step, a step with
 * jitter, delta of delta.
 */
export function encodeTimes(out: ByteWriter, t: Float64Array) {
  const first = t[0] ?? 0
  const firstStep = t.length < 2 ? 1 : (t[1] ?? 0) - first
  if (isSteady(t, firstStep)) {
    out.byte(steady)
    out.signed(first)
    out.varint(firstStep)
    return
  }
  const { base, step } = gridOf(t)
  const changes = new ByteWriter(t.length * 2)
  writeChanges(changes, t)
  const jitter = new ByteWriter(t.length * 2)
  writeJitter(jitter, t, { base, step })
  if (jitter.length <= changes.length) {
    out.byte(grid)
    out.signed(base)
    out.varint(step)
    out.raw(jitter.done())
  } else {
    out.byte(deltaOfDelta)
    out.signed(first)
    out.raw(changes.done())
  }
}

/** Decodes into `t`, which has the right length. */
export function decodeTimes(reader: ByteReader, t: Float64Array): Float64Array {
  const count = t.length
  const mode = reader.byte()
  const first = reader.signed()
  if (mode === steady) {
    const step = reader.varint()
    for (let row = 0; row < count; row += 1) t[row] = first + row * step
  } else if (mode === grid) readJitter(reader, t, { base: first, step: reader.varint() })
  else readTimeChanges(reader, t, first)
  return t
}

/** Look-up of times; with a fixed step no list of them is needed. */
export type TimeLine = { at(row: number): number; firstAt(time: number): number }

/** Decodes times for look-up; `room` is filled only when they have no fixed step. */
export function decodeTimeLine(reader: ByteReader, count: number, room: Room): TimeLine {
  const start = reader.at
  if (reader.byte() !== steady) {
    reader.at = start
    const t = decodeTimes(reader, room(count))
    return { at: (row) => t[row] ?? 0, firstAt: (time) => firstAt(t, time) }
  }
  const first = reader.signed()
  const step = reader.varint()
  return {
    at: (row) => first + row * step,
    firstAt: (time) => Math.min(count, Math.max(0, Math.ceil((time - first) / step))),
  }
}

function isSteady(t: Float64Array, step: number) {
  for (let row = 1; row < t.length; row += 1)
    if ((t[row] ?? 0) - (t[row - 1] ?? 0) !== step) return false
  return true
}

function writeChanges(out: ByteWriter, t: Float64Array) {
  let before = t[0] ?? 0
  let delta = 0
  for (let row = 1; row < t.length; row += 1) {
    const time = t[row] ?? 0
    out.signed(time - before - delta)
    delta = time - before
    before = time
  }
}

function readTimeChanges(reader: ByteReader, t: Float64Array, first: number) {
  const { bytes } = reader
  const count = t.length
  let time = first
  let delta = 0
  t[0] = first
  for (let row = 1; row < count; row += 1) {
    const byte = bytes[reader.at] ?? 0
    const more = byte < 128 ? 0 : (bytes[reader.at + 1] ?? 0)
    if (more < 128) {
      const zigzag = (byte & 127) | (more << 7)
      reader.at += byte < 128 ? 1 : 2
      delta += (zigzag >>> 1) ^ -(zigzag & 1)
    } else delta += reader.signed()
    time += delta
    t[row] = time
  }
}

type Grid = { base: number; step: number }

const roundings = [1, 10, 100, 1000]
const sampled = 256

/**
 * Grid with the smallest distance to the times. The median step of a signal with jitter is a few ms
 * off its period, which usually is a round number.
 */
function gridOf(t: Float64Array): Grid {
  const usual = usualStep(t)
  const steps = new Set(roundings.map((round) => Math.round(usual / round) * round))
  let found = { step: Math.max(1, usual), base: t[0] ?? 0, spread: Infinity }
  for (const step of steps) {
    if (step < 1) continue
    const { base, spread } = gridThrough(t, step)
    if (spread < found.spread) found = { step, base, spread }
  }
  return found
}

/** Grid of a step through the middle of the jitter, so that most distances take one byte. */
function gridThrough(t: Float64Array, step: number) {
  const first = t[0] ?? 0
  const count = Math.min(t.length, sampled)
  let low = 0
  let high = 0
  for (let row = 1; row < count; row += 1) {
    const away = offGrid((t[row] ?? 0) - first, step)
    low = Math.min(low, away)
    high = Math.max(high, away)
  }
  return { base: first + Math.round((low + high) / 2), spread: high - low }
}

const offGrid = (distance: number, step: number) => distance - Math.round(distance / step) * step

/**
 * Writes distances from the grid: even numbers mean the next position; after odd ones the number of
 * skipped positions follows, which can be negative.
 */
function writeJitter(out: ByteWriter, t: Float64Array, { base, step }: Grid) {
  let place = -1
  for (const time of t) {
    const here = Math.round((time - base) / step)
    const away = time - base - here * step
    const zigzag = away < 0 ? -2 * away - 1 : 2 * away
    if (here === place + 1) out.varint(zigzag * 2)
    else {
      out.varint(zigzag * 2 + 1)
      out.signed(here - place - 1)
    }
    place = here
  }
}

/**
 * Reads distances in a tight loop for the next position, because one chart reads months of times.
 */
function readJitter(reader: ByteReader, t: Float64Array, { base, step }: Grid) {
  const { bytes } = reader
  const count = t.length
  let onGrid = base - step
  for (let row = 0; row < count; row += 1) {
    onGrid += step
    const byte = bytes[reader.at] ?? 0
    const more = byte < 128 ? 0 : (bytes[reader.at + 1] ?? 0)
    if (more < 128 && (byte & 1) === 0) {
      const zigzag = ((byte & 127) | (more << 7)) >>> 1
      reader.at += byte < 128 ? 1 : 2
      t[row] = onGrid + ((zigzag >>> 1) ^ -(zigzag & 1))
      continue
    }
    const code = reader.varint()
    if (code % 2 === 1) onGrid += reader.signed() * step
    const zigzag = Math.floor(code / 2)
    t[row] = onGrid + (zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2)
  }
}
