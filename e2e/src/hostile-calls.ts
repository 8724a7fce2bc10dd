import fc from 'fast-check'
import type { Ask } from './asking.ts'
import { record, strange } from './hostile.ts'

// Any call of the running server with whatever its own document allows, and a little that it does not.

type Schema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
  items?: Schema
  minimum?: number
  maximum?: number
}
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}
type Document = { paths: Record<string, Record<string, Operation>> }
type HostileCall = { method: string; path: string; body: unknown }

const words = ['a', '', 'main', '*', '**', 'label', 'now-1h', '2026-03-29T02:30:00', 'a.b', '%']
const numbers = [0, 1, 2, 1.5, 100, 2 ** 31, 2 ** 53, 1e308]
const deepest = 6

function meant(schema: Schema, names: Names, depth: number): fc.Arbitrary<unknown> {
  const inner = (one: Schema, name = names.name) => hostile(one, { ...names, name }, depth + 1)
  if (depth > deepest) return strange
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((one) => inner(one)))
  if (schema.type === 'object') return objectOf(schema, inner)
  if (schema.type === 'array') return fc.array(inner(schema.items ?? {}), { maxLength: 3 })
  return simple(schema, names)
}

function objectOf(
  { properties, required = [] }: Schema,
  inner: (one: Schema, name: string) => fc.Arbitrary<unknown>,
) {
  if (!properties) return fc.dictionary(fc.constantFrom(...words), strange, { maxKeys: 2 })
  const fields = Object.entries(properties).map(([name, one]) => [name, inner(one, name)])
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required.filter((name) => name in properties),
  })
}

function simple({ type, minimum = 0, maximum = 0 }: Schema, { texts }: Names) {
  switch (type) {
    case 'string':
      return fc.constantFrom(...words, ...texts)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'integer':
    case 'number':
      return fc.constantFrom(...numbers, minimum, maximum)
    default:
      return strange
  }
}

type Names = { name: string; texts: readonly string[]; known: Readonly<Record<string, string>> }

function hostile(schema: Schema, names: Names, depth = 0): fc.Arbitrary<unknown> {
  const known = names.known[names.name]
  const usual = meant(schema, names, depth)
  const right = known === undefined ? usual : fc.oneof(usual, fc.constant(known))
  return fc.oneof({ weight: 15, arbitrary: right }, { weight: 1, arbitrary: strange })
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Calls that would end the access of the caller, or that take minutes by design. */
const left = /updateOrganization|deleteOrganization|[Aa]ccount|commandAgent|rehearse|trial/i

/** Calls of the services at these addresses; `known` are existing ids, so that some calls succeed. */
export async function hostileCalls(
  ask: Ask,
  addresses: readonly string[],
  known: Readonly<Record<string, string>>,
): Promise<fc.Arbitrary<HostileCall>> {
  const documents = await Promise.all(
    addresses.map(async (address) =>
      (await ask('GET', `${address}/openapi.json`)).json<Document>(),
    ),
  )
  const calls = documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method, { operationId }]) => isSafe(method, path) && !left.test(operationId))
        .map(([method, operation]) => callOf({ method, path, operation }, known)),
    ),
  )
  return fc.oneof(...calls)
}

/** False for calls that would remove the only person there, who is needed. */
const isSafe = (method: string, path: string) => method === 'get' || !path.includes('{user}')

type Call = { method: string; path: string; operation: Operation }

function callOf({ method, path, operation }: Call, known: Names['known']) {
  const { parameters = [], requestBody } = operation
  const names = { texts: Object.values(known), known }
  const placed = (where: Parameter['in']) =>
    parameters
      .filter((one) => one.in === where)
      .map((one) => [one.name, hostile(one.schema, { ...names, name: one.name })])
  const schema = requestBody?.content['application/json'].schema
  return fc
    .record({
      params: fc.record(
        Object.fromEntries(placed('path')) as Record<string, fc.Arbitrary<unknown>>,
      ),
      query: record(Object.fromEntries(placed('query')) as Record<string, fc.Arbitrary<unknown>>),
      body: schema ? hostile(schema, { ...names, name: '' }) : fc.constant(undefined),
    })
    .map(({ params, query, body }) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(params[name]))
      const asked = Object.entries(query).map(([name, value]) => [name, asText(value)])
      const address = `${filled.replace('/svc/', '')}?${new URLSearchParams(asked)}`
      return { method: method.toUpperCase(), path: address, body }
    })
}

/** A part of a path; of `..` and the like the client would make another path. */
function segment(value: unknown) {
  const text = asText(value).toWellFormed()
  return /^\.*$/.test(text) ? 'x' : encodeURIComponent(text)
}
