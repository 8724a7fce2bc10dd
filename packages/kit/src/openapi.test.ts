import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineContract, timestamp } from './contract.ts'
import { openapiOf } from './openapi.ts'

type Tree = { leaf: number; below?: Tree[] | undefined }
const tree: z.ZodType<Tree> = z.lazy(() =>
  z.object({ leaf: z.number(), below: z.array(tree).optional() }),
)
const body = z.object({
  name: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z]+$/),
  at: timestamp,
  inner: z.object({ a: z.string() }).optional(),
  free: z.looseObject({ id: z.number() }).optional(),
})
const contract = defineContract({
  service: 'plants',
  base: '/svc/plants/api/v1',
  errors: { taken: 409 },
  endpoints: {
    grow: {
      method: 'POST',
      path: '/plants/:plant',
      access: 'signed-in',
      params: z.object({ plant: z.string() }),
      body,
      ignored: ['UUID', 'inner.old'],
      result: z.object({ id: z.int(), grown: timestamp, size: z.number().default(1) }),
      status: 201,
    },
    trees: { method: 'GET', path: '/trees', access: 'signed-in', result: z.array(tree) },
    cut: { method: 'DELETE', path: '/trees', access: 'signed-in', result: z.undefined() },
    file: {
      method: 'GET',
      path: '/file',
      access: 'signed-in',
      result: z.undefined(),
      files: ['text/csv'],
      columns: ['tree', 'height'],
    },
    either: {
      method: 'GET',
      path: '/either',
      access: 'signed-in',
      result: z.string().optional(),
    },
  },
})
const house = { ...contract, service: 'house', errors: { full: 410 as const }, endpoints: {} }
type Said = {
  requestBody?: { content: { 'application/json': { schema: Record<string, unknown> } } }
  responses: Record<
    string,
    { description?: string; content?: Record<string, { schema: Record<string, unknown> }> }
  >
}
const document = openapiOf(contract.base, [contract], [house])
const said = (path: string, method: string) =>
  document.paths[`${contract.base}${path}`]?.[method] as Said

test('bodies are closed where unknown fields are refused, and say what is accepted without effect', () => {
  const schema = said('/plants/{plant}', 'post').requestBody?.content['application/json'].schema
  expect(schema).toMatchObject({
    additionalProperties: false,
    required: ['name', 'at'],
    properties: {
      at: { type: 'string', format: 'date-time' },
      inner: { additionalProperties: false, properties: { a: {}, old: {} } },
      UUID: { description: expect.any(String) as string },
    },
  })
  const { name, free } = (schema?.['properties'] ?? {}) as Record<string, Record<string, unknown>>
  // The text is trimmed and lower-cased first: `" ABC"` is accepted.
  expect(name).not.toHaveProperty('pattern')
  expect(free?.['additionalProperties']).not.toBe(false)
})

test('answers are said as they go out: with their defaults, their status, their files', () => {
  const { responses } = said('/plants/{plant}', 'post')
  expect(responses['201']?.content?.['application/json']?.schema).toMatchObject({
    required: ['id', 'grown', 'size'],
    properties: { grown: { type: 'string', format: 'date-time' } },
  })
  const kinds = (path: string, method: string, status: string) =>
    Object.keys(said(path, method).responses[status]?.content ?? {})
  expect(kinds('/file', 'get', '200')).toEqual(['text/csv'])
  expect(Object.keys(said('/trees', 'delete').responses)).toContain('204')
  expect(Object.keys(said('/trees', 'delete').responses)).not.toContain('200')
  expect(kinds('/either', 'get', '200')).toEqual(['application/json'])
  expect(Object.keys(said('/either', 'get').responses)).toContain('204')
})

test('a file of fixed columns says which they are', () => {
  const { responses } = said('/file', 'get')
  expect(responses['200']?.description).toBe('Done. Columns of the CSV: tree, height')
})

test('a time is one of ISO 8601, and nothing that only a program takes for one', () => {
  for (const good of ['2026-11-22', '2026-11-22T10:00Z', '2026-11-22T10:00:00.5+01:00']) {
    expect(timestamp.parse(good)).toEqual(new Date(good))
  }
  expect(timestamp.parse('2026-11-22 10:00:00.25+00')).toEqual(new Date('2026-11-22T10:00:00.25Z'))
  const now = new Date()
  expect(timestamp.parse(now)).toBe(now)
  for (const bad of ['0.5', '1', 'May 5', '2026-13-45', '', 0, null, true, undefined]) {
    expect([bad, timestamp.safeParse(bad).success]).toEqual([bad, false])
  }
  expect(z.object({ at: timestamp.optional() }).parse({})).toEqual({})
})

test('refusals are those of the service, of those that it calls, and of every call', () => {
  const { responses } = said('/trees', 'get')
  const statuses = Object.keys(responses)
  expect(statuses).toEqual(expect.arrayContaining(['400', '401', '404', '409', '410', '431']))
  expect(statuses).not.toContain('default')
  expect(responses['409']).toEqual({ $ref: '#/components/responses/Refused' })
})

test('a schema that refers to itself is found where its reference leads', () => {
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(1)
  expect(text).not.toContain('$defs')
  const components = document.components as Record<string, Record<string, unknown>>
  for (const [, kind = '', name = ''] of references) expect(components[kind]?.[name]).toBeDefined()
})
