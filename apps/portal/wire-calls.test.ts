import { auditContract } from '@longreach/audit/contract'
import { coreContract } from '@longreach/core/contract'
import { type Contract, timestamp } from '@longreach/kit/contract'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { withTimes } from './src/parts/api/times.ts'
import { timesOf, toWireContract } from './wire-calls.ts'

const Tree = z.object({
  at: z.string(),
  get children() {
    return z.array(Tree)
  },
})
const shape = z.object({
  next: z.int().nullable().default(null),
  data: z.array(
    z.object({
      label: z.string(),
      createdAt: timestamp,
      endedAt: timestamp.nullable(),
      seen: z.record(z.string(), z.object({ at: timestamp.optional() })),
    }),
  ),
  kind: z.union([z.object({ by: z.string() }), z.object({ until: timestamp })]),
  pair: z.tuple([z.string(), timestamp]),
  tree: z.object({ inner: z.string() }),
})

test('an answer read without its schema is the answer read by it', () => {
  const at = '2026-11-22T10:00:00.000Z'
  const answer = {
    next: 2,
    data: [
      { label: at, createdAt: at, endedAt: null, seen: { a: { at }, b: {} } },
      { label: '', createdAt: at, endedAt: at, seen: {} },
    ],
    kind: { until: at },
    pair: [at, at],
    tree: { inner: at },
  }
  const times = timesOf(shape, 'shape')
  expect(times).toBeDefined()
  expect(withTimes(structuredClone(answer), times ?? {})).toEqual(shape.parse(answer))
})

test('a shape without times needs nothing', () => {
  expect(timesOf(Tree, 'tree')).toBeUndefined()
})

test.each([
  ['a time or a text', z.object({ at: z.union([timestamp, z.string()]) })],
  [
    'a time in one of two objects and a text in the other',
    z.union([z.object({ at: timestamp }), z.object({ at: z.string() })]),
  ],
  ['a schema of a kind without a rule', z.map(z.string(), timestamp)],
])('%s cannot be told, and ends the build', (_, schema) => {
  expect(() => timesOf(schema, 'it')).toThrow(/^it/)
})

test('times in a shape that holds itself end the build', () => {
  const Dated = z.object({
    at: timestamp,
    get children() {
      return z.array(Dated)
    },
  })
  expect(() => timesOf(Dated, 'it')).toThrow(/holds itself/)
})

test.each<[string, Contract]>([
  ['core', coreContract],
  ['mappings', mappingsContract],
  ['platform', platformContract],
  ['audit', auditContract],
])('the calls of %s keep their method and address', (_, contract) => {
  const wire = toWireContract(contract)
  expect(wire).toMatchObject({ service: contract.service, base: contract.base })
  const places = Object.entries(contract.endpoints).map(([name, { method, path, base }]) => [
    name,
    { method, path, ...(base && { base }) },
  ])
  expect(places.length).toBeGreaterThan(3)
  expect(wire.endpoints).toMatchObject(Object.fromEntries(places))
})
