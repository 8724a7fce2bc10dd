import type { Ask } from './asking.ts'

// Every call of the running server, as large as its own document lets it be.

type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  prefixItems?: Schema[]
  items?: Schema | false
  format?: string
  pattern?: string
  minimum?: number
  maxLength?: number
  maxItems?: number
}
type Parameter = { name: string; in: 'path' | 'query'; schema: Schema }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
type LargestCall = { name: string; method: string; path: string; body: () => unknown }

/** Bytes of a body and letters of an address that every server takes. */
const mostBytes = 1_900_000
const mostAddress = 7_000
const deepest = 8

/** Calls that would end the access of the caller. */
const left = /(update|delete)Organization|[Aa]ccount|endUserSession/

type Known = Readonly<Record<string, string>>
type Building = { schemas: Document['components']['schemas']; choice: number; wide: boolean }

/**
 * Calls of a service with long texts, with many entries, in each form that a field may have, and
 * with a long address. `known` are existing ids.
 */
export async function largestCalls(ask: Ask, address: string, known: Known) {
  const document = (await ask('GET', `${address}/openapi.json`)).json<Document>()
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  )
  return calls
    .filter(({ operation }) => !left.test(operation.operationId))
    .flatMap((call) => [...bodiesOf(call, document, known), ...addressesOf(call, known)])
}

type Call = { path: string; method: string; operation: Operation }

function bodiesOf(call: Call, { components: { schemas } }: Document, known: Known) {
  const { operationId, requestBody } = call.operation
  const schema = requestBody?.content['application/json'].schema
  if (!schema) return []
  const few = { bytes: 20_000, depth: 0 }
  const forms = [0, 1, 2].map((choice) =>
    JSON.stringify(largest(schema, { schemas, choice, wide: true }, few)),
  )
  const differing = [...new Set(forms)].map((form) => forms.indexOf(form))
  return differing.flatMap((choice) =>
    [false, true].map((wide): LargestCall => {
      const body = () => largest(schema, { schemas, choice, wide }, { bytes: mostBytes, depth: 0 })
      const name = `${operationId}: ${wide ? 'many entries' : 'long texts'}, form ${choice}`
      return { name, method: call.method.toUpperCase(), path: addressOf(call, known), body }
    }),
  )
}

function addressesOf(call: Call, known: Known): LargestCall[] {
  const asked = (call.operation.parameters ?? []).filter(
    ({ in: where, name }) => where === 'query' && name !== 'organization',
  )
  return asked.map(({ name, schema }) => {
    const size = Math.min(schema.maxLength ?? mostAddress, mostAddress) / 2
    const text = encodeURIComponent('a,'.repeat(size)).slice(0, mostAddress)
    const path = `${addressOf(call, known)}&${name}=${text}`
    const method = call.method.toUpperCase()
    return { name: `${call.operation.operationId}: ${name}`, method, path, body: () => undefined }
  })
}

function addressOf({ path }: Call, known: Known) {
  const filled = path
    .replace('/svc/', '')
    .replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '1')
  return `${filled}?organization=main`
}

type Room = { bytes: number; depth: number }

/** A value of this schema that takes about so many bytes. */
function largest(schema: Schema, building: Building, room: Room): unknown {
  const { schemas, choice } = building
  if (schema.$ref !== undefined) {
    const named = schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}
    return largest(named, building, { ...room, depth: room.depth + 1 })
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return largest(choices[Math.min(choice, choices.length - 1)] ?? {}, building, room)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  return ofType(Array.isArray(schema.type) ? schema.type[0] : schema.type, schema, building, room)
}

// oxlint-disable-next-line max-params -- which type, and all that a value of it is made from
function ofType(type: string | undefined, schema: Schema, building: Building, room: Room) {
  switch (type) {
    case 'object':
      return largestObject(schema, building, room)
    case 'array':
      return largestList(schema, building, room)
    case 'string':
      return largestText(schema, room)
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    default:
      return anything(building, room)
  }
}

function largestObject(schema: Schema, building: Building, room: Room) {
  const { properties, additionalProperties } = schema
  const depth = room.depth + 1
  const names = Object.keys(properties ?? {})
  const share = Math.floor(room.bytes / Math.max(1, names.length))
  const inner = (one: Schema, bytes = share) =>
    depth > deepest ? null : largest(one, building, { bytes, depth })
  const fields = Object.entries(properties ?? {}).map(([name, one]) => [name, inner(one)])
  if (names.length > 0 || typeof additionalProperties !== 'object')
    return Object.fromEntries(fields) as unknown
  const count = building.wide ? Math.floor(room.bytes / 40) : 2
  const entry = inner(additionalProperties, building.wide ? 20 : share / 2)
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, entry])) as unknown
}

function largestList(schema: Schema, building: Building, room: Room): unknown[] {
  const { items = {}, prefixItems, maxItems } = schema
  const depth = room.depth + 1
  if (depth > deepest) return []
  if (items === false || prefixItems) {
    const bytes = room.bytes / Math.max(1, prefixItems?.length ?? 0)
    return (prefixItems ?? []).map((one) => largest(one, building, { bytes, depth }))
  }
  const most = maxItems ?? Number.POSITIVE_INFINITY
  const few = building.wide ? most : Math.min(most, 3)
  const bytes = building.wide ? Math.max(20, room.bytes / Math.min(most, 60_000)) : room.bytes / 3
  const entry = largest(items, building, { bytes, depth })
  const size = JSON.stringify(entry ?? null).length + 1
  return Array.from({ length: Math.min(few, Math.floor(room.bytes / size)) }, () => entry)
}

function largestText({ format, maxLength = mostBytes }: Schema, { bytes }: Room) {
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  if (format === 'email') return `${'a'.repeat(Math.min(60, bytes))}@example.org`
  return 'a.b/c '.repeat(Math.max(1, Math.min(maxLength, bytes) / 6)).slice(0, maxLength)
}

const anything = ({ wide }: Building, { bytes }: Room) =>
  wide ? Array.from({ length: Math.floor(bytes / 4) }, () => ({})) : 'x'.repeat(bytes)
