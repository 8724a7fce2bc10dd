import type { DropCode } from './change.ts'
import { fieldOf, idOf, isEqualJson, isObject, type Json, type JsonObject } from './json.ts'

/** Value and place of a `set`: no value takes away, `before` is the item in front of which one is put. */
export type Setting = { path: readonly string[]; value?: Json; before?: string }

/** Result of a setting: the value as a whole, and the setting that undoes it. */
type Settled = { value: Json; inverse: Setting }

/**
 * Sets what is at a place in a value, which is not changed itself. A key in a list is the `id` of an item.
 * What is missing on the way is made. Undefined if nothing changes.
 */
export function setAt(target: Json, setting: Setting): Settled | DropCode | undefined {
  const [key, ...rest] = setting.path
  if (key === undefined) return 'no_place'
  if (Array.isArray(target)) return setInList(target, key, rest, setting)
  if (!isObject(target)) return 'no_place'
  return setInObject(target, key, rest, setting)
}

function setInObject(target: JsonObject, key: string, rest: string[], setting: Setting) {
  const before = fieldOf(target, key)
  if (rest.length > 0 && before !== undefined) {
    const inner = setAt(before, { ...setting, path: rest })
    if (inner === undefined || typeof inner === 'string') return inner
    const { path, ...undo } = inner.inverse
    return settled({ ...target, [key]: inner.value }, { ...undo, path: [key, ...path] })
  }
  const value = setting.value === undefined ? undefined : wrapped(rest, setting.value)
  if (isEqualJson(before, value)) return undefined
  const inverse: Setting = { path: [key], ...(before !== undefined && { value: before }) }
  if (value !== undefined) return settled({ ...target, [key]: value }, inverse)
  const { [key]: _, ...others } = target
  return settled(others, inverse)
}

const settled = (value: Json, inverse: Setting): Settled => ({ value, inverse })

/** Value inside of objects for keys that are not there yet. */
const wrapped = (keys: readonly string[], value: Json): Json =>
  keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)

function setInList(list: Json[], key: string, rest: string[], setting: Setting) {
  const index = list.findIndex((item) => idOf(item) === key)
  const before = list[index]
  if (rest.length > 0) {
    if (before === undefined) return 'no_place'
    const inner = setAt(before, { ...setting, path: rest })
    if (inner === undefined || typeof inner === 'string') return inner
    if (idOf(inner.value) !== key) return 'item_id'
    const { path, ...undo } = inner.inverse
    return settled(list.with(index, inner.value), { ...undo, path: [key, ...path] })
  }
  return setItem(list, index, key, setting)
}

function setItem(list: Json[], index: number, key: string, setting: Setting) {
  const item = list[index]
  const undo: Setting = { path: [key], ...(item !== undefined && { value: item }) }
  if (setting.value === undefined) {
    if (item === undefined) return undefined
    return settled(list.toSpliced(index, 1), { ...undo, ...inFrontOf(list, index) })
  }
  if (idOf(setting.value) !== key) return 'item_id'
  if (item !== undefined && setting.before === undefined) {
    const { value } = setting
    return isEqualJson(item, value) ? undefined : settled(list.with(index, value), undo)
  }
  const next = withItem(item === undefined ? list : list.toSpliced(index, 1), setting)
  if (isEqualJson(next, list)) return undefined
  return settled(next, item === undefined ? undo : { ...undo, ...inFrontOf(list, index) })
}

/** List with an item in front of another, or at the end. */
function withItem(list: readonly Json[], { value = null, before }: Setting) {
  const found = before === undefined ? -1 : list.findIndex((other) => idOf(other) === before)
  return list.toSpliced(found === -1 ? list.length : found, 0, value)
}

/** Item in front of which the one at a place stands; the last one is put behind all by an unknown id. */
function inFrontOf(list: readonly Json[], index: number) {
  const next = idOf(list[index + 1])
  return { before: next ?? '' }
}
