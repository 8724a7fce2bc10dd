/** Value as JSON has it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Keys that name the machinery of JavaScript's objects; no document and no change has them. */
export const isForbiddenKey = (key: string) =>
  key === '__proto__' || key === 'constructor' || key === 'prototype'

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Own field of an object; undefined for what it only inherits. */
export const fieldOf = (object: object, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? (object as JsonObject)[key] : undefined

/** Id of an item of a list; undefined if it has none. */
export function idOf(item: Json | undefined): string | undefined {
  const id = isObject(item) ? fieldOf(item, 'id') : undefined
  return typeof id === 'string' ? id : undefined
}

type Fault = { pointer: string; code: 'forbidden_key' | 'too_deep' | 'not_json' }

/**
 * First fault of a value of any origin: a forbidden key, nesting deeper than `depth`, or what JSON does
 * not have. The pointer is that of RFC 6901. It keeps its own stack, so a deep value cannot exhaust it.
 */
export function faultOfJson(root: unknown, depth: number): Fault | undefined {
  const open: { value: unknown; pointer: string; level: number }[] = [
    { value: root, pointer: '', level: 0 },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, pointer, level } = next
    if (typeof value !== 'object' || value === null) {
      if (!isScalar(value)) return { pointer, code: 'not_json' }
      continue
    }
    if (level > depth) return { pointer, code: 'too_deep' }
    for (const [key, child] of Object.entries(value)) {
      const place = `${pointer}/${pointerPart(key)}`
      if (isForbiddenKey(key)) return { pointer: place, code: 'forbidden_key' }
      open.push({ value: child, pointer: place, level: level + 1 })
    }
  }
  return undefined
}

const isScalar = (value: unknown) =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

/** Key as a part of a JSON pointer (RFC 6901). */
export const pointerPart = (key: string | number) =>
  String(key).replaceAll('~', '~0').replaceAll('/', '~1')

/** Text of a value with the keys of each object in order, so that equal values have equal texts. */
export function toOrderedText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (!isObject(inner)) return inner
    const keys = Object.keys(inner).toSorted()
    return Object.fromEntries(keys.map((key) => [key, inner[key]]))
  })
}

/** Equality of two values as JSON: fields without a value count as absent. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => isEqualJson(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return false
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].every((key) => isEqualJson(fieldOf(one, key), fieldOf(other, key)))
}
