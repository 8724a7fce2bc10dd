import pg from 'pg'
import { expect, test } from 'vitest'
import { bucketsOf } from './bucket-query.ts'
import type { ChunkFigures } from './chunk-store.ts'
import { Keys } from './keys.ts'
import type { Summary } from './summary.ts'

const summary = (t0: number, t1: number, v: number): Summary => {
  const figures = { min: v, max: v, sum: 2 * v, first: v, last: v }
  return { t0, t1, n: 2, numbers: 2, ...figures }
}
const chunk = (series: number, t0: number, t1: number): ChunkFigures => ({
  series,
  version: 1,
  ...summary(t0, t1, 1),
  plain: null,
  steps: null,
})

test('figures stand between chunks in order of time; a series in which they overlap needs the values', async () => {
  const pool = new pg.Pool({ host: 'nowhere.invalid' }) // nothing is asked of it
  const query = { series: [1, 2, 3, 4], since: 0, to: 1_000, width: 100 }
  const chunks = [
    chunk(1, 0, 40),
    chunk(1, 310, 350),
    chunk(2, 0, 40),
    chunk(3, 60, 80),
    chunk(4, 10, 20),
  ]
  const figures = new Map([
    [1, [[summary(60, 90, 2), summary(110, 190, 3)], [summary(370, 380, 4)]]],
    [2, [[summary(40, 90, 2)]]],
    [3, [[summary(10, 90, 2), summary(110, 190, 3)]]],
  ])
  const { buckets, unclear } = await bucketsOf([chunks], pool, {
    query,
    keys: new Keys(pool),
    loose: new Map(),
    figures,
  })
  expect([...unclear]).toEqual([2, 3])
  expect([...buckets.keys()]).toEqual([1, 4])
  expect(
    buckets.get(1)?.map(({ start, count, sum, first, last }) => [start, count, sum, first, last]),
  ).toEqual([
    [0, 4, 6, 1, 2],
    [100, 2, 6, 3, 3],
    [300, 4, 10, 1, 4],
  ])
  await pool.end()
})
