import type { ChangeOf } from './change.ts'
import { fieldOf, idOf, isEqualJson, isObject, type Json } from './json.ts'
import { boardLimits } from './limits.ts'

type Set = ChangeOf<'set'>

/** Settings that make the second value of the first, as deep in it as they can be. */
export function differences(
  id: string,
  path: readonly string[],
  before: Json | undefined,
  after: Json | undefined,
): Set[] {
  if (isEqualJson(before, after)) return []
  if (path.length < boardLimits.setKeys) {
    const inner = fieldsOf(path, before, after) ?? itemsOf(before, after)
    if (inner)
      return inner.flatMap(([key, one, other]) => differences(id, [...path, key], one, other))
  }
  const value = after === undefined ? {} : { value: after }
  return [{ op: 'set', id, path: [...path], ...value }]
}

type Pair = [key: string, before: Json | undefined, after: Json | undefined]

/** Fields of two objects; below the first level only if both have the same, since a field may decide what others mean. */
function fieldsOf(path: readonly string[], before?: Json, after?: Json): Pair[] | undefined {
  if (!isObject(before) || !isObject(after)) return undefined
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const isSame = keys.every((key) => Object.hasOwn(before, key) && Object.hasOwn(after, key))
  if (path.length > 1 && !isSame) return undefined
  return keys.map((key) => [key, fieldOf(before, key), fieldOf(after, key)])
}

/** Items of two lists that have the same ids in the same order. */
function itemsOf(before?: Json, after?: Json): Pair[] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length)
    return undefined
  const pairs = before.map((item, index): Pair => [idOf(item) ?? '', item, after[index]])
  const isSame = pairs.every(([key, , other]) => key !== '' && idOf(other) === key)
  const isUnique = new Set(pairs.map(([key]) => key)).size === pairs.length
  return isSame && isUnique ? pairs : undefined
}
