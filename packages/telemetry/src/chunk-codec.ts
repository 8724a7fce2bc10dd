import { zstdCompressSync, constants } from 'node:zlib'
import { ByteReader, ByteWriter } from './bytes.ts'
import type { Columns } from './columns.ts'
import { mostInChunk } from './cut.ts'
import { decodeTimes, encodeTimes } from './time-codec.ts'
import { decodeValues, encodeValues, readRuns, writeRuns, type Room } from './value-codec.ts'
import { unpackedBlock } from './zstd.ts'

const plain = 0x10
const compressed = 0x11
// Shorter input does not shrink, because of the compressor's own header.
const worthCompressing = 400
const level = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Chunk of time-ordered values of one series; `decodeChunk` restores every bit. */
export const encodeChunk = (columns: Columns): Buffer => packed(encodePlain(columns))

/** Uncompressed chunk, for values that are compressed together with others. */
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

/**
 * Chunks of some series in one block, compressed when that is smaller; `unpacked` removes the mark
 * again.
 */
export const packTogether = (parts: Buffer[]) => packed(Buffer.concat([Buffer.of(plain), ...parts]))

function packed(bytes: Buffer): Buffer {
  if (bytes.length < worthCompressing) return bytes
  const less = zstdCompressSync(bytes.subarray(1), level)
  if (less.length > bytes.length * 0.95) return bytes
  return Buffer.concat([Buffer.of(compressed), less])
}

/** Content of a packed block, without its mark. */
export function unpacked(data: Buffer): Buffer {
  const form = data[0]
  if (form !== plain && form !== compressed)
    throw new Error(`A stored block has the unknown form ${form}`)
  const body = data.subarray(1)
  return form === plain ? body : unpackedBlock(body)
}

export const decodeChunk = (data: Buffer): Columns => decodePlain(unpacked(data))

/** Values of an unpacked chunk. */
export const decodePlain = (plain: Buffer): Columns => decodeInto(plain, fresh, fresh)

/**
 * Values of an unpacked chunk in shared arrays, which the next call overwrites: for values that are
 * only aggregated.
 */
export const decodePassing = (plain: Buffer): Columns =>
  decodeInto(plain, passingTimes, passingValues)

const fresh: Room = (count) => new Float64Array(count)
// Shared arrays: one chart reads months of values, and new arrays would burden the garbage
// collector.
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
