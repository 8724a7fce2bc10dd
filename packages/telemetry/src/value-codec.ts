import type { ByteReader, ByteWriter } from './bytes.ts'
import { decodeNumbers, encodeNumbers } from './number-codec.ts'
import type { Value } from './point.ts'

type Column = Float64Array | Value[]
/** Allocator of an array to decode numbers into. */
export type Room = (count: number) => Float64Array
export const kinds = { numbers: 0, booleans: 1, texts: 2, json: 3 }
const withNulls = 128

/**
 * Encodes values in a form chosen by what they are, not by the series' type, so that none is
 * changed.
 */
export function encodeValues(out: ByteWriter, v: Column) {
  if (v instanceof Float64Array) {
    out.byte(kinds.numbers)
    encodeNumbers(out, v)
    return
  }
  const filled = v.filter((value) => value !== null)
  const kind = kindOf(filled)
  const nulls = filled.length < v.length
  out.byte(kind + (nulls ? withNulls : 0))
  if (nulls) writeRuns(out, v, (value) => (value === null ? 1 : 0))
  if (kind === kinds.numbers) encodeNumbers(out, Float64Array.from(filled as number[]))
  else if (kind === kinds.booleans) writeRuns(out, filled, (value) => (value === true ? 1 : 0))
  else if (kind === kinds.texts) writeDictionary(out, filled as string[])
  else writeDictionary(out, filled.map(jsonOf))
}

export function decodeValues(reader: ByteReader, count: number, room: Room): Column {
  const head = reader.byte()
  const present = head >= withNulls ? readRuns(reader, count).map((gap) => gap === 0) : undefined
  const filled = present ? present.filter(Boolean).length : count
  const values = decodeKind(reader, { kind: head % withNulls, count: filled, room })
  if (!present) return values
  let at = 0
  return present.map((there) => {
    if (!there) return null
    at += 1
    return values[at - 1] ?? null
  })
}

type Kind = { kind: number; count: number; room: Room }
function decodeKind(reader: ByteReader, { kind, count, room }: Kind): Column {
  if (kind === kinds.numbers) return decodeNumbers(reader, room(count))
  if (kind === kinds.booleans) return readRuns(reader, count).map((value) => value === 1)
  const texts = readDictionary(reader, count)
  return kind === kinds.texts ? texts : texts.map(fromJson)
}

function kindOf(values: Value[]) {
  if (values.every((value) => typeof value === 'number')) return kinds.numbers
  if (values.every((value) => typeof value === 'boolean')) return kinds.booleans
  if (values.every((value) => typeof value === 'string')) return kinds.texts
  return kinds.json
}

/** JSON, except for numbers that JSON cannot represent; no JSON text starts with `#`. */
export function jsonOf(value: Value): string {
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return Object.is(value, -0) ? '#-0' : `#${value}`
  return JSON.stringify(value)
}
export const fromJson = (text: string): Value =>
  text.startsWith('#') ? Number(text.slice(1)) : (JSON.parse(text) as Value)

/** Writes small numbers as runs of (number, repetitions). */
export function writeRuns<T>(out: ByteWriter, items: Iterable<T>, numberOf: (item: T) => number) {
  let run = 0
  let current = -1
  const flush = () => {
    if (run === 0) return
    out.varint(current)
    out.varint(run)
  }
  for (const item of items) {
    const number = numberOf(item)
    if (number === current) run += 1
    else {
      flush()
      current = number
      run = 1
    }
  }
  flush()
}

export function readRuns(reader: ByteReader, count: number): number[] {
  const items: number[] = []
  while (items.length < count) {
    const number = reader.varint()
    const run = reader.varint()
    if (run === 0 || items.length + run > count) throw new Error('A stored block is damaged')
    for (let times = 0; times < run; times += 1) items.push(number)
  }
  return items
}

/** Skips `count` items that `writeRuns` wrote. */
export function skipRuns(reader: ByteReader, count: number) {
  let seen = 0
  while (seen < count) {
    reader.varint()
    const run = reader.varint()
    if (run === 0 || seen + run > count) throw new Error('A stored block is damaged')
    seen += run
  }
}

function writeDictionary(out: ByteWriter, texts: string[]) {
  const numbers = new Map<string, number>()
  for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size)
  out.varint(numbers.size)
  for (const text of numbers.keys()) out.text(text)
  writeRuns(out, texts, (text) => numbers.get(text) ?? 0)
}

function readDictionary(reader: ByteReader, count: number): string[] {
  const words = Array.from({ length: reader.varint() }, () => reader.text())
  return readRuns(reader, count).map((number) => words[number] ?? '')
}
