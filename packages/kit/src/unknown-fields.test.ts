import { expect, test } from 'vitest'
import { z } from 'zod'
import { unknownFields } from './unknown-fields.ts'

const inner = z.object({ a: z.string().optional() })
type Tree = { leaf?: number | undefined; below?: Tree[] | undefined }
const tree: z.ZodType<Tree> = z.lazy(() =>
  z.object({ leaf: z.number().optional(), below: z.array(tree).optional() }),
)
const body = z.object({
  name: z.string(),
  one: inner.nullish(),
  many: z.array(inner).default([]),
  named: z.record(z.string(), inner).optional(),
  pair: z.tuple([z.string(), inner]).optional(),
  either: z
    .union([z.object({ kind: z.literal('x'), x: z.number() }), z.object({ y: z.number() })])
    .optional(),
  both: z.intersection(z.object({ l: z.number() }), z.object({ r: z.number() })).optional(),
  trimmed: z
    .object({ t: z.string() })
    .transform(({ t }) => t)
    .optional(),
  free: z.looseObject({ id: z.number() }).optional(),
  any: z.unknown().optional(),
  tree: tree.optional(),
})

test('fields that a body knows are found known, at every depth', () => {
  const sent = {
    name: 'x',
    one: { a: '1' },
    many: [{ a: '1' }, {}],
    named: { k: { a: '1' } },
    pair: ['x', { a: '1' }],
    either: { y: 1 },
    both: { l: 1, r: 2 },
    trimmed: { t: 'x' },
    free: { id: 1, whatever: { deep: true } },
    any: { whatever: [1] },
    tree: { below: [{ leaf: 1, below: [{ leaf: 2 }] }] },
  }
  expect(body.safeParse(sent).success).toBe(true)
  expect(unknownFields(body, sent)).toEqual([])
  expect(unknownFields(z.string(), 'text')).toEqual([])
  expect(unknownFields(body.nullish(), null)).toEqual([])
})

test('fields that would be dropped are named by their paths', () => {
  const sent = {
    name: 'x',
    nam: 'y',
    one: { b: 1 },
    many: [{ a: '1' }, { c: 1 }],
    named: { k: { d: 1 } },
    pair: ['x', { e: 1 }],
    either: { kind: 'x', x: 1, y: 1 },
    both: { l: 1, r: 2, m: 3 },
    trimmed: { t: 'x', u: 'y' },
    tree: { below: [{ leaf: 1, twig: 2 }] },
    constructor: 'not of the schema either',
  }
  expect(unknownFields(body, sent)).toEqual([
    'nam',
    'one.b',
    'many.1.c',
    'named.k.d',
    'pair.1.e',
    'either.y',
    'both.m',
    'trimmed.u',
    'tree.below.0.twig',
    'constructor',
  ])
})

test('what clients in the field are known to send is let by, wherever in a list it stands', () => {
  const sent = { name: 'x', licenseCode: 'L', many: [{ old: 1 }, { old: 2, older: 3 }] }
  expect(unknownFields(body, sent, ['licenseCode', 'many.old'])).toEqual(['many.1.older'])
})

test('a body of very many wrong fields is answered with the first ones', () => {
  const sent = Object.fromEntries(Array.from({ length: 5_000 }, (_, place) => [`f${place}`, 1]))
  expect(unknownFields(body, { name: 'x', ...sent })).toHaveLength(20)
})

test('where no alternative fits, what none of them names is unknown', () => {
  const either = z.union([
    z.strictObject({ ids: z.array(z.number()) }),
    z.object({ all: z.boolean() }),
  ])
  expect(unknownFields(either, { ids: 'x', every: true })).toEqual(['every'])
  expect(
    unknownFields(z.union([either, z.looseObject({ any: z.number() })]), { every: 1 }),
  ).toEqual([])
})

test('of a schema within itself no level reads again what is below it', () => {
  let read = 0
  type Rule = { type: 'all'; of: Rule[] } | { type: 'is'; n: number }
  const rule: z.ZodType<Rule> = z.lazy(() =>
    z.union([
      z.object({ type: z.literal('all'), of: z.array(rule) }),
      z.object({ type: z.literal('is'), n: z.number().refine(() => ++read > 0) }),
    ]),
  )
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'is', n: 1, m: 2 } : { type: 'all', of: [nested(depth - 1)] }
  expect(unknownFields(rule, nested(50))).toEqual([`${'of.0.'.repeat(50)}m`])
  expect(read).toBe(0)
})

test('JSON of any kind, and a list where an object is meant, have no fields and are not looked into', () => {
  const looked: string[] = []
  const watched = new Proxy([1], {
    ownKeys: (list) => (looked.push('names'), Reflect.ownKeys(list)),
    get: (list, name) => (looked.push(String(name)), Reflect.get(list, name)),
  })
  expect(unknownFields(z.object({ value: z.json() }), { value: watched })).toEqual([])
  expect(unknownFields(z.object({ a: z.string() }), watched)).toEqual([])
  expect(unknownFields(z.union([z.object({ a: z.string() }), z.null()]), watched)).toEqual([])
  expect(looked).toEqual([])
})
