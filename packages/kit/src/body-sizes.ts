import { z } from 'zod'

/** A list or record with more entries than its call takes. */
export type TooMany = { field: string; limit: number }
type Check = (value: unknown, field: string) => TooMany | undefined

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  propertyNames?: { enum?: unknown[] }
  items?: Schema
  maxItems?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** Entries of a list or record whose schema names no limit. */
const usualLimit = 20_000

/**
 * A check of how many entries lists and records of a body have, to be done before its schema: that
 * judges all entries of a list before it counts them, and finds a fault in each.
 */
export function sizesOf(type: z.ZodType): Check {
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema
  return checkOf(schema) ?? (() => undefined)
}

/** Undefined where nothing is to be counted, so that it is not looked for either. */
function checkOf(schema: Schema): Check | undefined {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return unionCheck(choices)
  if (schema.allOf) return everyCheck(schema.allOf.flatMap((one) => checkOf(one) ?? []))
  if (schema.type === 'array') return listCheck(schema)
  return schema.type === 'object' ? objectCheck(schema) : undefined
}

function listCheck({ items, maxItems: limit = usualLimit }: Schema): Check {
  const inner = items && checkOf(items)
  return (value, field) => {
    if (!Array.isArray(value)) return undefined
    if (value.length > limit) return { field, limit }
    return inner && firstOf(value.entries(), field, inner)
  }
}

function objectCheck(schema: Schema): Check | undefined {
  const { properties = {}, additionalProperties, propertyNames } = schema
  const checks = Object.entries(properties).flatMap(([name, schema]) => {
    const check = checkOf(schema)
    return check ? [[name, check] as const] : []
  })
  const isRecord = typeof additionalProperties === 'object'
  const inner = isRecord ? checkOf(additionalProperties) : undefined
  // Of names that are none there are as many faults as names: told of twice as many as there may be.
  const limit = propertyNames?.enum ? 2 * propertyNames.enum.length : usualLimit
  if (checks.length === 0 && !isRecord) return undefined
  return (value, field) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const given = value as Record<string, unknown>
    for (const [name, check] of checks) {
      const found = Object.hasOwn(given, name) && check(given[name], below(field, name))
      if (found) return found
    }
    if (!isRecord) return undefined
    if (Object.keys(given).length > limit) return { field, limit }
    return inner && firstOf(Object.entries(given), field, inner)
  }
}

/** Too many for a union is what is too many for each of its lists, or for each of its objects. */
function unionCheck(schemas: readonly Schema[]): Check | undefined {
  const all = schemas.flatMap((one) => one.anyOf ?? one.oneOf ?? [one])
  const lists = all.filter(({ type }) => type === 'array').map(checkOf)
  const objects = all.filter(({ type }) => type === 'object').map(checkOf)
  if ([...lists, ...objects].every((check) => check === undefined)) return undefined
  return (value, field) => {
    let found: TooMany | undefined
    for (const check of Array.isArray(value) ? lists : objects) {
      found = check?.(value, field)
      if (!found) return undefined
    }
    return found
  }
}

function everyCheck(checks: readonly Check[]): Check | undefined {
  if (checks.length === 0) return undefined
  return (value, field) => {
    for (const check of checks) {
      const found = check(value, field)
      if (found) return found
    }
    return undefined
  }
}

function firstOf(entries: Iterable<[string | number, unknown]>, field: string, check: Check) {
  for (const [name, value] of entries) {
    const found = check(value, below(field, name))
    if (found) return found
  }
  return undefined
}

const below = (field: string, name: string | number) =>
  field === '' ? `${name}` : `${field}.${name}`
