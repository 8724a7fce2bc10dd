import { refusal } from './refusals.ts'
import { isStructValue, type Datatype, type LeafType, type Value } from './value.ts'

type Coerced = { ok: true; value: Value } | { ok: false; reason: string }
/** Types of a struct's fields, by name. */
export type FieldTypes = Readonly<Record<string, Datatype>>

/** Longest text of a tag in UTF-16 units. */
export const longestText = 65_536

const accepted = (value: Value): Coerced => ({ ok: true, value })
const refused = (...why: Parameters<typeof refusal>): Coerced => ({
  ok: false,
  reason: refusal(...why),
})

/**
 * Converts a value to the datatype of its path. Numbers are untyped on the wire: a whole number is
 * a valid double, and a double for an integer path is truncated, as device libraries do. Refused:
 * NaN, infinities, integers beyond 32 bits, text that is not a number.
 */
export function coerce(value: Value | null, type: LeafType, fields?: FieldTypes): Coerced {
  if (value === null) return refused('noValue')
  switch (type) {
    case 'integer':
      return integer(value)
    case 'double':
      return toDouble(value)
    case 'boolean':
      return boolean(value)
    case 'string':
      return toText(value)
    case 'integerarray':
      return toArray(value, 'integer')
    case 'doublearray':
      return toArray(value, 'double')
    case 'booleanarray':
      return toArray(value, 'boolean')
    case 'struct':
      return struct(value, fields)
    case 'binaryblob':
    case 'bytestring':
      return bytes(value)
  }
}

/** Finite number from a number, a boolean, or a text that is entirely a number. */
function numberOf(value: Value): number | undefined {
  const number = typeof value === 'string' ? (value.trim() === '' ? NaN : Number(value)) : value
  if (typeof number === 'boolean') return number ? 1 : 0
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function toDouble(value: Value) {
  const number = numberOf(value)
  return number === undefined ? refused('notFinite', { value: shown(value) }) : accepted(number)
}

function integer(value: Value) {
  const number = numberOf(value)
  if (number === undefined) return refused('notFinite', { value: shown(value) })
  const whole = Math.trunc(number)
  if (whole < -2_147_483_648 || whole > 2_147_483_647) {
    return refused('notIn32Bits', { value: shown(value) })
  }
  return accepted(whole + 0) // + 0 turns -0 into 0
}

function boolean(value: Value) {
  if (typeof value === 'boolean') return accepted(value)
  if (typeof value === 'number' && Number.isFinite(value)) return accepted(value !== 0)
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (text === 'true' || text === '1') return accepted(true)
  if (text === 'false' || text === '0') return accepted(false)
  return refused('notBoolean', { value: shown(value) })
}

function toText(value: Value) {
  if (typeof value === 'object') return refused('notText', { value: shown(value) })
  const text = String(value)
  return text.length > longestText
    ? refused('textTooLong', { length: text.length, most: longestText })
    : accepted(text)
}

function toArray(value: Value, item: Datatype): Coerced {
  const items = typeof value === 'string' ? parsedArray(value) : value
  if (!Array.isArray(items)) return refused('notArray', { value: shown(value) })
  const values: Value[] = []
  for (const [index, one] of items.entries()) {
    const coerced = coerce(one, item)
    if (!coerced.ok) return refused('item', { index, rest: coerced.reason })
    values.push(coerced.value)
  }
  return accepted(values)
}

function parsedArray(text: string): Value[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? (parsed as Value[]) : undefined // items are converted one by one
  } catch {
    return undefined // not JSON: reported as "no array"
  }
}

/** Unchanged fields may be missing. */
function struct(value: Value, fields: FieldTypes | undefined): Coerced {
  if (!isStructValue(value)) return refused('notStruct', { value: shown(value) })
  if (!fields) return accepted(value)
  const entries: [string, Value | null][] = []
  for (const [name, one] of Object.entries(value)) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!type) return refused('noField', { name: shown(name) })
    const coerced = one === null ? undefined : coerce(one, type)
    if (coerced && !coerced.ok) return refused('field', { name, rest: coerced.reason })
    entries.push([name, coerced ? coerced.value : null])
  }
  return accepted(Object.fromEntries(entries))
}

/** Bytes, given as such or in base64. */
function bytes(value: Value) {
  if (value instanceof Uint8Array) return accepted(value)
  const text = typeof value === 'string' ? value : ''
  if (typeof value !== 'string' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    return refused('notBytes', { value: shown(value) })
  }
  return accepted(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
}

/** Shortened value for an error message. */
function shown(value: Value) {
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (typeof value === 'number') return String(value)
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
