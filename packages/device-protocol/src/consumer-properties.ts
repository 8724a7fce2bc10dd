import { deflateSync, inflateSync } from 'node:zlib'

const largest = 1024 * 1024

/**
 * Payload of `control/consumer/properties`: 4 bytes big-endian text length, then the text
 * compressed with zlib.
 */
export function encodeConsumerProperties(paths: readonly string[]): Buffer {
  const text = Buffer.from(paths.join(';'))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, deflateSync(text)])
}

/**
 * Entries `interface/path` of such a payload; undefined when it is damaged or its length is wrong.
 */
export function decodeConsumerProperties(payload: Uint8Array): string[] | undefined {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  if (bytes.length < 4) return undefined
  const length = bytes.readUInt32BE(0)
  if (length > largest) return undefined
  try {
    const text = inflateSync(bytes.subarray(4), { maxOutputLength: Math.max(1, length) })
    if (text.length !== length) return undefined
    return length === 0 ? [] : text.toString().split(';')
  } catch {
    return undefined // not zlib, or longer than declared: damaged
  }
}
