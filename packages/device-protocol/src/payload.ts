import { Binary, BSONError, deserialize, serialize } from 'bson'
import { decodeCommon } from './common-payload.ts'
import { refusal } from './refusals.ts'
import type { Value } from './value.ts'

/**
 * Decoded message. `v` is null when the tag was unset: an empty payload, a null, or a document
 * without `v`. `q` is the quality when it is not good: 1 uncertain, 2 bad.
 */
type Decoded = { ok: true; v: Value | null; t?: number; q?: 1 | 2 } | { ok: false; reason: string }

const undecodable = (...why: Parameters<typeof refusal>): Decoded => ({
  ok: false,
  reason: refusal(...why),
})
const deepest = 32
/** Largest number of values in one JSON message, because small objects are slow to make. */
const mostValues = 250_000

/** Decodes a device's message, BSON or JSON. Never throws. `t` is in ms since 1970. */
export function decodePayload(bytes: Uint8Array): Decoded {
  if (bytes.length === 0) return { ok: true, v: null }
  const common = decodeCommon(bytes)
  if (common) return common
  // A matching length and a final zero byte mean BSON: JSON text contains no zero byte.
  if (bytes.length >= 5 && lengthOf(bytes) === bytes.length && bytes.at(-1) === 0) {
    return decodeBson(bytes)
  }
  return bytes[0] === 0x7b ? decodeJson(bytes) : undecodable('notDecodable')
}

const lengthOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(0, true)

function decodeBson(bytes: Uint8Array): Decoded {
  try {
    return fromDocument(deserialize(bytes, { promoteBuffers: false }))
  } catch (error) {
    // A document nested thousands of levels deep causes a RangeError; any other error is a bug.
    if (!(error instanceof BSONError || error instanceof RangeError)) throw error
    return undecodable('malformedBson', { detail: error.message })
  }
}

function decodeJson(bytes: Uint8Array): Decoded {
  // Each value takes at least two bytes.
  if (bytes.length > 2 * mostValues && valuesIn(bytes) > mostValues) {
    return undecodable('tooManyValues', { most: mostValues })
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return fromDocument(JSON.parse(text) as Record<string, unknown>) // starts with a brace, so it is an object
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
    return undecodable('malformedJson', { detail: error.message })
  }
}

const codeOf = (sign: string) => sign.charCodeAt(0)
const [quote, backslash] = [codeOf('"'), codeOf('\\')]
/** Characters that are followed by one more value. */
const before: ReadonlySet<number> = new Set([...',[{'].map(codeOf))

function valuesIn(bytes: Uint8Array) {
  let [count, inText] = [1, false]
  for (let at = 0; at < bytes.length; at += 1) {
    const sign = bytes[at] ?? 0
    if (inText && sign === backslash) at += 1
    else if (sign === quote) inText = !inText
    else if (!inText && before.has(sign)) count += 1
  }
  return count
}

function fromDocument(document: Record<string, unknown>): Decoded {
  const t = timeOf(document['t'])
  if (t === null) return undecodable('timeNotInMs')
  const raw = document['v']
  const v = raw === undefined || raw === null ? null : valueOf(raw, 0)
  if (v === undefined) return undecodable('kindUnknown')
  const q = gradeOf(document['q'])
  return { ok: true, v, ...(t !== undefined && { t }), ...(q && { q }) }
}

/**
 * Quality: 0 to 2, or an OPC UA status code (its highest two bits); undefined for anything else.
 */
function gradeOf(raw: unknown): 1 | 2 | undefined {
  if (typeof raw !== 'number' || !Number.isInteger(raw) || raw <= 0 || raw > 0xff_ff_ff_ff) {
    return undefined
  }
  const severity = raw <= 2 ? raw : raw >>> 30
  return severity === 0 ? undefined : severity === 1 ? 1 : 2
}

/** Time in ms; undefined when absent, null when invalid. */
function timeOf(raw: unknown): number | undefined | null {
  if (raw === undefined || raw === null) return undefined
  const ms = raw instanceof Date ? raw.getTime() : typeof raw === 'string' ? Date.parse(raw) : raw
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : null
}

function valueOf(raw: unknown, depth: number): Value | undefined {
  if (typeof raw === 'number' || typeof raw === 'boolean' || typeof raw === 'string') return raw
  if (depth > deepest || typeof raw !== 'object' || raw === null) return undefined
  if (raw instanceof Date) return raw.getTime()
  if (raw instanceof Binary) return new Uint8Array(raw.buffer.subarray(0, raw.position))
  if (Array.isArray(raw)) return decodeArray(raw, depth)
  // BSON objects include 64-bit integers beyond 53 bits, which a number would change.
  return '_bsontype' in raw ? undefined : structOf(raw, depth)
}

function decodeArray(raw: unknown[], depth: number): Value[] | undefined {
  const items: Value[] = []
  for (const one of raw) {
    const item = valueOf(one, depth + 1)
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}

function structOf(raw: object, depth: number): Value | undefined {
  const fields: [string, Value | null][] = []
  for (const [name, one] of Object.entries(raw)) {
    const field = one === null ? null : valueOf(one, depth + 1)
    if (field === undefined) return undefined
    fields.push([name, field])
  }
  // fromEntries makes own properties, also for a field called `__proto__`.
  return Object.fromEntries(fields)
}

type Outgoing = { v: Value | null | undefined; t?: number; q?: 1 | 2 }

/**
 * BSON message `{v, t}` in this order. Whole numbers within 32 bits become Int32, as device
 * libraries write them.
 */
export const encodeBson = ({ v, t, q }: Outgoing): Uint8Array =>
  serialize(
    {
      ...(v !== undefined && v !== null && { v }),
      ...(t !== undefined && { t: new Date(t) }),
      ...(q !== undefined && { q }),
    },
    { ignoreUndefined: true },
  )

/** JSON message; binary values are base64. */
export const encodeJson = ({ v, t, q }: Outgoing): string =>
  JSON.stringify({ t, v: v ?? undefined, q }, (_, value: unknown) =>
    value instanceof Uint8Array ? base64(value) : value,
  )

const base64 = (bytes: Uint8Array) => {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
