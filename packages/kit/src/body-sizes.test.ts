import { expect, test } from 'vitest'
import { z } from 'zod'
import { sizesOf } from './body-sizes.ts'

const many = (length: number) => Array.from({ length }, () => 0)

test('lists and records are counted before they are judged, and named by their field', () => {
  const check = sizesOf(
    z.object({
      ids: z.array(z.string()).max(3),
      tree: z.record(z.string(), z.unknown()),
      deep: z.object({ lists: z.array(z.array(z.int()).max(2)) }).optional(),
    }),
  )
  expect(check({ ids: many(3), tree: {}, deep: { lists: [[1, 2]] } }, '')).toBeUndefined()
  expect(check({ ids: many(4), tree: {} }, '')).toEqual({ field: 'ids', limit: 3 })
  expect(check({ ids: [], deep: { lists: [[1], [1, 2, 3]] } }, '')).toEqual({
    field: 'deep.lists.1',
    limit: 2,
  })
  const few = sizesOf(z.object({ mapping: z.partialRecord(z.enum(['a', 'b']), z.string()) }))
  expect(few({ mapping: { a: '1', b: '2', c: '3' } }, '')).toBeUndefined() // the schema names it
  const names = Object.fromEntries(many(5).map((_, n) => [`k${n}`, '']))
  expect(few({ mapping: names }, '')).toEqual({ field: 'mapping', limit: 4 })
  const tree = Object.fromEntries(many(20_001).map((_, n) => [`k${n}`, 1]))
  expect(check({ ids: [], tree }, '')).toEqual({ field: 'tree', limit: 20_000 })
})

test('of a union the widest list counts, and what is no list is let through', () => {
  const check = sizesOf(
    z.union([z.string(), z.array(z.string()).max(2), z.array(z.int()).max(4)]).nullish(),
  )
  for (const good of ['text', many(4), null, undefined, 5, {}]) {
    expect(check(good, '')).toBeUndefined()
  }
  expect(check(many(5), '')?.field).toBe('')
  expect(sizesOf(z.object({ name: z.string() }))({ name: many(30_000) }, '')).toBeUndefined()
})
