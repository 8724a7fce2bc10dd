import { zstdCompressSync, zstdDecompressSync, constants } from 'node:zlib'
import { ByteReader, ByteWriter } from './bytes.ts'
import type { Columns } from './columns.ts'
import { decodeTimes, encodeTimes } from './time-codec.ts'
import { decodeValues, encodeValues, readRuns, writeRuns } from './value-codec.ts'

const plain = 0x10
const compressed = 0x11
// Below this the compressor's own header eats what it wins.
const worthCompressing = 400
const level = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Time-ordered values of one series as bytes; `decodeChunk` gives every bit of them back. */
export function encodeChunk({ t, v, q }: Columns): Buffer {
  const out = new ByteWriter(64 + t.length * 4)
  out.byte(plain)
  out.varint(t.length)
  encodeTimes(out, t)
  const graded = q?.some((grade) => grade !== 0) ? q : undefined
  out.byte(graded ? 1 : 0)
  if (graded) writeRuns(out, graded, (grade) => grade)
  encodeValues(out, v)
  const bytes = out.done()
  if (bytes.length < worthCompressing) return Buffer.from(bytes)
  const packed = zstdCompressSync(bytes.subarray(1), level)
  if (packed.length > bytes.length * 0.95) return Buffer.from(bytes)
  return Buffer.concat([Buffer.of(compressed), packed])
}

export function decodeChunk(data: Buffer): Columns {
  const form = data[0]
  if (form !== plain && form !== compressed)
    throw new Error(`A stored block has the unknown form ${form}`)
  const body = data.subarray(1)
  const reader = new ByteReader(form === plain ? body : zstdDecompressSync(body))
  const count = reader.varint()
  const t = decodeTimes(reader, count)
  const q = reader.byte() === 1 ? Uint8Array.from(readRuns(reader, count)) : undefined
  return { t, v: decodeValues(reader, count), q }
}
