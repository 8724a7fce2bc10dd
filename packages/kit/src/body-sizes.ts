import { z } from 'zod'

/** Field whose list or record has more entries than its call accepts. */
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

/** Largest number of entries where the schema names no limit. */
const usualLimit = 20_000

/**
 * Check of the number of entries in all lists and records of a body. It runs before the schema,
 * because zod validates every entry before it checks the length and collects an issue for each.
 */
export function sizesOf(type: z.ZodType): Check {
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema
  return checkOf(schema) ?? (() => undefined)
}

/** Check for one schema; undefined when nothing in it has to be counted. */
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
  // A record with fixed names reports each unknown name, so twice the known number is accepted here
  // and the schema refuses the rest.
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

/** A union has too many entries only when every alternative of the value's kind has too many. */
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
