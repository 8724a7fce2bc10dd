import type { Contract } from '@longreach/kit/contract'
import type { z } from 'zod'
import type { Times } from './src/parts/api/times.ts'

/** Facts of a contract that a call needs at run time, without its schemas. Throws where a shape cannot be told. */
export function toWireContract(contract: unknown) {
  const { service, base, endpoints } = contract as Contract // the caller names a contract's file
  const calls = Object.entries(endpoints).map(([name, endpoint]) => {
    const { method, path, base: own, result } = endpoint
    const times = timesOf(result, `${service}.${name}`)
    return [name, { method, path, ...(own && { base: own }), ...(times && { times }) }]
  })
  return { service, base, endpoints: Object.fromEntries(calls) as Record<string, object> }
}

/** Definition of a schema, with the fields of the kinds that hold others. */
type Definition = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  valueType?: z.ZodType
  innerType?: z.ZodType
  options?: readonly z.ZodType[]
  items?: readonly z.ZodType[]
  in?: z.ZodType
  out?: z.ZodType
}
/** `text` may look like a time and be none; `itself` is a shape around this one. */
type Shape = 'time' | 'text' | 'other' | 'itself' | { [key: string]: Shape }

const texts = new Set(['string', 'unknown', 'any', 'custom'])
const plain = new Set(['number', 'boolean', 'enum', 'literal', 'undefined', 'null', 'void', 'int'])
const wrappers = new Set(['optional', 'nullable', 'default', 'readonly', 'nonoptional', 'prefault'])

/** Places of the times in an answer of a schema; undefined without any. */
export function timesOf(schema: z.ZodType, name: string): Times | undefined {
  const shape = shapeOf(schema, name, [])
  const times = onlyTimes(shape)
  if (times !== undefined && holdsItself(shape))
    throw new Error(`${name}: the places of times in a shape that holds itself have no end`)
  return times
}

function shapeOf(schema: z.ZodType, name: string, around: readonly z.ZodType[]): Shape {
  if (around.includes(schema)) return 'itself'
  const definition = schema.def as unknown as Definition // fields that its type says it has
  const alone = shapeOfType(definition.type)
  if (alone !== undefined) return alone
  return shapeOfHolder(definition, name, (one, key = '') =>
    one === undefined ? 'other' : shapeOf(one, `${name}${key}`, [...around, schema]),
  )
}

/** Shape of a schema that holds no other one. */
function shapeOfType(type: string): Shape | undefined {
  if (type === 'date') return 'time'
  if (texts.has(type)) return 'text'
  return plain.has(type) ? 'other' : undefined
}

/** Shape of a schema that holds others, whose shapes `inner` tells. */
function shapeOfHolder(
  { type, shape, element, valueType, innerType, options, items, out }: Definition,
  name: string,
  inner: (held: z.ZodType | undefined, key?: string) => Shape,
): Shape {
  if (wrappers.has(type)) return inner(innerType)
  if (type === 'array' || type === 'record') return { '*': inner(element ?? valueType, '.*') }
  if (type === 'pipe') return out?.def.type === 'transform' ? 'other' : inner(out)
  if (options) return options.map((one) => inner(one)).reduce((a, b) => either(a, b, name))
  const fields: Record<string, z.ZodType> | undefined = items
    ? Object.fromEntries(items.entries())
    : shape
  if (fields === undefined) throw new Error(`${name}: no rule for a schema of the type ${type}`)
  return Object.fromEntries(
    Object.entries(fields).map(([key, one]) => [key, inner(one, `.${key}`)]),
  )
}

/** Shape of an answer that has one of two shapes. */
function either(a: Shape, b: Shape, name: string): Shape {
  if (typeof a === 'object' && typeof b === 'object') {
    const merged = { ...a }
    for (const [key, shape] of Object.entries(b)) {
      const before = a[key]
      merged[key] = before === undefined ? shape : either(before, shape, `${name}.${key}`)
    }
    return merged
  }
  if (a === b) return a
  const [time, other] = a === 'time' ? [a, b] : [b, a]
  if (time === 'time' && other !== 'other') throw new Error(`${name}: a time or something else`)
  if (typeof a === 'object') return a
  if (typeof b === 'object') return b
  return time === 'time' ? time : 'text'
}

const holdsItself = (shape: Shape): boolean =>
  typeof shape === 'object' ? Object.values(shape).some(holdsItself) : shape === 'itself'

function onlyTimes(shape: Shape): Times | undefined {
  if (shape === 'time') return true
  if (typeof shape !== 'object') return undefined
  const held = Object.entries(shape).flatMap(([key, inner]) => {
    const times = onlyTimes(inner)
    return times === undefined ? [] : [[key, times] as const]
  })
  return held.length === 0 ? undefined : Object.fromEntries(held)
}
