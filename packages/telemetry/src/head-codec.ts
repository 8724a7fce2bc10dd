import { ByteReader, ByteWriter } from './bytes.ts'
import { isScaled, powers } from './number-codec.ts'
import { TelemetryError, type Batch, type Value } from './point.ts'
import { fromJson, jsonOf } from './value-codec.ts'

/** Batch on its way to disk; `lastOnly` rows replace the newest value and leave no history. */
export type HeadBatch = Batch & { lastOnly: boolean }
type HeadRow = { series: number; t: number; v: Value; q: number; lastOnly: boolean }

const form = 1
const kinds = { null: 0, false: 1, true: 2, whole: 3, decimal: 3, double: 8, text: 9, json: 10 }
const mostDecimals = 4
const lastOnlyBit = 16
const gradeShift = 5

/**
 * Encodes the rows of some batches in order of arrival, optimized for writing speed: each row has
 * the differences of series and time to the row before, the kind of value, and the value.
 */
export function encodeHead(batches: HeadBatch[]): Buffer {
  const rows = batches.reduce((sum, batch) => sum + batch.t.length, 0)
  const out = new ByteWriter(16 + rows * 8)
  out.byte(form)
  out.varint(rows)
  let series = 0
  let time = 0
  for (const batch of batches) {
    const { lastOnly, q } = batch
    for (let row = 0; row < batch.t.length; row += 1) {
      const nextSeries = batch.series[row] ?? 0
      const nextTime = batch.t[row] ?? 0
      out.signed(nextSeries - series)
      out.signed(nextTime - time)
      series = nextSeries
      time = nextTime
      const mark = ((q?.[row] ?? 0) << gradeShift) | (lastOnly ? lastOnlyBit : 0)
      writeValue(out, batch.v[row] ?? null, mark)
    }
  }
  return out.done()
}

function writeValue(out: ByteWriter, value: Value, mark: number) {
  if (typeof value === 'number') writeNumber(out, value, mark)
  else if (typeof value === 'boolean') out.byte(mark | (value ? kinds.true : kinds.false))
  else if (value === null) out.byte(mark | kinds.null)
  else if (typeof value === 'string') {
    out.byte(mark | kinds.text)
    out.text(value)
  } else {
    out.byte(mark | kinds.json)
    out.text(jsonOf(value))
  }
}

function writeNumber(out: ByteWriter, value: number, mark: number) {
  for (let digits = 0; digits <= mostDecimals; digits += 1) {
    if (!isScaled(value, digits)) continue
    out.byte(mark | (kinds.decimal + digits))
    out.signed(Math.round(value * (powers[digits] ?? 1)))
    return
  }
  out.byte(mark | kinds.double)
  out.double(value)
}

/** Calls `each` for every row, in order of arrival. */
export function decodeHead(data: Buffer, each: (row: HeadRow) => void) {
  const reader = new ByteReader(data)
  if (reader.byte() !== form) throw new Error('A write-ahead block has an unknown form')
  const rows = reader.varint()
  let series = 0
  let t = 0
  for (let row = 0; row < rows; row += 1) {
    series += reader.signed()
    t += reader.signed()
    const mark = reader.byte()
    const v = readValue(reader, mark & (lastOnlyBit - 1))
    each({ series, t, v, q: mark >>> gradeShift, lastOnly: (mark & lastOnlyBit) !== 0 })
  }
}

function readValue(reader: ByteReader, kind: number): Value {
  if (kind === kinds.null) return null
  if (kind <= kinds.true) return kind === kinds.true
  if (kind < kinds.double) return reader.signed() / (powers[kind - kinds.decimal] ?? 1)
  if (kind === kinds.double) return reader.double()
  return kind === kinds.text ? reader.text() : fromJson(reader.text())
}

// Second differences of times stay exact below this, which is about the year 6400.
const farthest = 2 ** 47

/** Throws `bad_batch` for values that cannot be stored unchanged. */
export function checkBatch({ series, t, v, q }: Batch) {
  const lengths = new Set([series.length, t.length, v.length, q?.length ?? t.length])
  if (lengths.size > 1) refuse('The columns of a batch must have the same length')
  for (const time of t)
    if (!Number.isInteger(time) || Math.abs(time) > farthest)
      refuse(`The time ${time} is not a whole number of ms since 1970 within 4,400 years`)
  if (v.includes(undefined as never)) refuse('A value is missing; use null for "no value"') // plain JavaScript can
  if (q?.some((grade) => grade !== 0 && grade !== 1 && grade !== 2))
    refuse('A quality is not 0, 1 or 2')
}

function refuse(message: string) {
  throw new TelemetryError('bad_batch', message)
}
