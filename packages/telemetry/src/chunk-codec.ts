import { zstdCompressSync, constants } from 'node:zlib'
import { ByteReader, ByteWriter } from './bytes.ts'
import type { Columns } from './columns.ts'
import { mostInChunk } from './cut.ts'
import { decodeTimes, encodeTimes } from './time-codec.ts'
import { decodeValues, encodeValues, readRuns, writeRuns, type Room } from './value-codec.ts'
import { unpackedBlock } from './zstd.ts'

const plain = 0x10
const compressed = 0x11
// Below this the compressor's own header eats what it wins.
const worthCompressing = 400
const level = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Time-ordered values of one series as bytes; `decodeChunk` gives every bit of them back. */
export const encodeChunk = (columns: Columns): Buffer => packed(encodePlain(columns))

/** As `encodeChunk`, for values that are compressed together with others. */
export function encodePlain({ t, v, q }: Columns): Buffer {
  const out = new ByteWriter(64 + t.length * 4)
  out.byte(plain)
  out.varint(t.length)
  encodeTimes(out, t)
  const graded = q?.some((grade) => grade !== 0) ? q : undefined
  out.byte(graded ? 1 : 0)
  if (graded) writeRuns(out, graded, (grade) => grade)
  encodeValues(out, v)
  return Buffer.from(out.done())
}

/** The bytes of some series one behind another, compressed where that pays; `unpacked` parts with the mark again. */
export const packTogether = (parts: Buffer[]) => packed(Buffer.concat([Buffer.of(plain), ...parts]))

function packed(bytes: Buffer): Buffer {
  if (bytes.length < worthCompressing) return bytes
  const less = zstdCompressSync(bytes.subarray(1), level)
  if (less.length > bytes.length * 0.95) return bytes
  return Buffer.concat([Buffer.of(compressed), less])
}

/** What was packed, without the mark in front of it. */
export function unpacked(data: Buffer): Buffer {
  const form = data[0]
  if (form !== plain && form !== compressed)
    throw new Error(`A stored block has the unknown form ${form}`)
  const body = data.subarray(1)
  return form === plain ? body : unpackedBlock(body)
}

export const decodeChunk = (data: Buffer): Columns => decodePlain(unpacked(data))

/** Of what `unpacked` gave. */
export const decodePlain = (plain: Buffer): Columns => decodeInto(plain, fresh, fresh)

/** As `decodePlain`; what comes back is overwritten by the next call: for values that are only added up. */
export const decodePassing = (plain: Buffer): Columns =>
  decodeInto(plain, passingTimes, passingValues)

const fresh: Room = (count) => new Float64Array(count)
// Months of values pass through for one chart: arrays of their own would keep the garbage collector busy.
export const passingTimes = passing()
const passingValues = passing()

function passing(): Room {
  let room = new Float64Array(mostInChunk)
  return (count) => {
    if (count > room.length) room = new Float64Array(count)
    return room.subarray(0, count)
  }
}

function decodeInto(plain: Buffer, times: Room, values: Room): Columns {
  const reader = new ByteReader(plain)
  const count = reader.varint()
  const t = decodeTimes(reader, times(count))
  const q = reader.byte() === 1 ? Uint8Array.from(readRuns(reader, count)) : undefined
  return { t, v: decodeValues(reader, count, values), q }
}
