import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'

/** Stored value: its model path and the message to send. */
export type Entry = { path: string; payload: Uint8Array }

// A record: 4 bytes length of the body, 4 bytes CRC-32 of the body, body = 2 bytes length of the
// path, path, payload. Big-endian.
const headBytes = 8
const longestBody = 4 * 1024 * 1024

export function encodeEntry({ path, payload }: Entry): Buffer {
  const name = Buffer.from(path)
  const record = Buffer.alloc(headBytes + 2 + name.length + payload.length)
  record.writeUInt16BE(name.length, headBytes)
  name.copy(record, headBytes + 2)
  record.set(payload, headBytes + 2 + name.length)
  const body = record.subarray(headBytes)
  record.writeUInt32BE(body.length, 0)
  record.writeUInt32BE(crc32(body), 4)
  return record
}

/** Entry at `offset` and the start of the next; undefined at the end and for damaged bytes. */
function decodeEntry(bytes: Buffer, offset: number): (Entry & { end: number }) | undefined {
  if (bytes.length < offset + headBytes) return undefined
  const length = bytes.readUInt32BE(offset)
  const end = offset + headBytes + length
  if (length < 2 || length > longestBody || bytes.length < end) return undefined
  const body = bytes.subarray(offset + headBytes, end)
  if (crc32(body) !== bytes.readUInt32BE(offset + 4)) return undefined
  const nameEnd = 2 + body.readUInt16BE(0)
  if (nameEnd > body.length) return undefined
  return { path: body.toString('utf8', 2, nameEnd), payload: body.subarray(nameEnd), end }
}

/**
 * Bytes and number of the whole records at the start of a file; the rest was damaged by a crash.
 */
function soundPart(file: string): { bytes: number; entries: number } {
  const content = readFileSync(file)
  let [bytes, entries] = [0, 0]
  for (let entry = decodeEntry(content, 0); entry; entry = decodeEntry(content, bytes)) {
    bytes = entry.end
    entries += 1
  }
  return { bytes, entries }
}

export type Segment = {
  number: number
  file: string
  descriptor: number
  bytes: number
  entries: number
}

/** Opens a segment for reading and appending, truncated after its last whole record. */
export function openSegment(file: string, number: number): Segment {
  const descriptor = openSync(file, 'a+', 0o600)
  const { bytes, entries } = soundPart(file)
  if (fstatSync(descriptor).size > bytes) ftruncateSync(descriptor, bytes)
  return { number, file, descriptor, bytes, entries }
}

/** Appends all records or none: after an error, such as a full disk, the file is unchanged. */
export function appendRecords(segment: Segment, records: readonly Buffer[]) {
  const bytes = Buffer.concat(records)
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(segment.descriptor, bytes, at)
  } catch (error) {
    ftruncateSync(segment.descriptor, segment.bytes)
    throw error
  }
  segment.bytes += bytes.length
  segment.entries += records.length
}

/** Up to `limit` entries from `offset`, each with the offset after it. */
export function readEntries({ descriptor, bytes }: Segment, offset: number, limit: number) {
  const found: (Entry & { end: number })[] = []
  const wanted = Math.min(bytes - offset, 256 * 1024)
  let chunk = readChunk(descriptor, offset, wanted)
  // An entry longer than the chunk is read alone.
  if (wanted < bytes - offset && !decodeEntry(chunk, 0)) {
    chunk = readChunk(descriptor, offset, headBytes + chunk.readUInt32BE(0))
  }
  for (let at = 0; found.length < limit;) {
    const entry = decodeEntry(chunk, at)
    if (!entry) break
    at = entry.end
    found.push({ ...entry, end: offset + entry.end })
  }
  return found
}

function readChunk(descriptor: number, offset: number, length: number) {
  const chunk = Buffer.alloc(length)
  return chunk.subarray(0, readSync(descriptor, chunk, 0, length, offset))
}

export const closeSegment = ({ descriptor }: Segment) => closeSync(descriptor)
