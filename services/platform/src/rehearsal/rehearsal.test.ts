import type { RehearsedLeaf } from '@longreach/mappings/rehearsed-contract'
import type { Point } from '@longreach/telemetry/store'
import { expect, test } from 'vitest'
import { rehearse } from './rehearsal.ts'
import { computedBy } from './rehearsal-formula.ts'

const span = { since: 0, to: 60_000 }
const points = (values: [number, Point['v']][]) => values.map(([t, v]): Point => ({ t, v, q: 0 }))
/** In pages of three, so that pages end amid equal times. */
async function* pages(all: Point[]) {
  for (let at = 0; at < all.length; at += 3) yield all.slice(at, at + 3)
}
const every = (ms: number, value: (step: number) => number) =>
  points(Array.from({ length: span.to / ms }, (_, step) => [step * ms, value(step)]))

type More = Partial<RehearsedLeaf>
const leaf = (trigger: object, more: More = {}) =>
  ({
    path: 'Oven:1/t',
    type: 'double',
    sendPolicy: { triggers: [trigger] },
    ...more,
  }) as RehearsedLeaf // triggers as the contract has them
const change = { type: 'onchange', changeMask: 'value' }
const play = async (one: RehearsedLeaf, own: Point[], others: Record<string, Point[]> = {}) =>
  (
    await rehearse(
      one,
      {
        own: pages(own),
        others: new Map(Object.entries(others).map(([name, all]) => [name, pages(all)])),
      },
      span,
    )
  ).result

test('a least interval thins values that change faster, and the newest is not lost', async () => {
  const own = every(100, (step) => step)
  const { before, after } = await play(leaf({ ...change, minIntervalMs: 5_000 }), own)
  expect(before.count).toBe(600)
  expect(after.count).toBe(12)
  const held = points([
    [0, 1],
    [100, 2],
  ])
  const waited = await play(leaf({ ...change, minIntervalMs: 5_000 }), held)
  expect(waited.after).toMatchObject({ count: 2, last: { v: 2 } })
})

test('a timer sends the last value again, and nothing before the first one', async () => {
  const { after } = await play(leaf({ type: 'timer', intervalMs: 10_000 }), points([[25_000, 7]]))
  expect(after).toMatchObject({ count: 4, min: 7, max: 7 })
})

test('a condition on another tag lets values through only while it holds', async () => {
  const conditions = { type: 'inband' as const, low: 1, high: 2, tagName: 'door' }
  const { after } = await play(
    leaf(change, { sendPolicy: { triggers: [change as never], conditions } }),
    every(1_000, (step) => step),
    {
      door: points([
        [9_500, 1],
        [19_500, 0],
      ]),
    },
  )
  // The change that waited for the condition is sent as soon as it holds.
  expect(after).toMatchObject({ count: 11, min: 9, max: 19 })
})

test('values that the type does not take are counted, with the first reason', async () => {
  const own = points([
    [1, 'warm'],
    [2, 3],
    [3, 'cold'],
  ])
  const { refused, problem, after } = await play(leaf(change), own)
  expect(refused).toBe(2)
  expect(problem).toContain('warm')
  expect(after.count).toBe(1)
})

test('formulas are computed in their order whenever a value comes, also from what was before', async () => {
  const texts = [
    { path: 'double', text: 'a * 2' },
    { path: 'moved', text: 'delta(double) + b' },
  ]
  const compute = computedBy(texts)
  if (!compute) throw new Error('these are formulas')
  const others = new Map([
    [
      'a',
      pages(
        points([
          [1, 1],
          [3, 5],
        ]),
      ),
    ],
    ['b', pages(points([[2, 100]]))],
  ])
  const one: RehearsedLeaf = { path: 'Oven:1/moved', type: 'double', formula: { texts, from: {} } }
  const { result } = await rehearse(one, { others, compute }, span)
  expect(result.after.last).toEqual({ t: 3, v: 108 })
  expect(computedBy([{ path: 'x', text: '1 +' }])).toBeUndefined()
})

test('steps and stretches of a formula are played as they would be computed', async () => {
  const compute = computedBy([
    { path: 'mean', text: 'a', windows: { sampling: { size: 10, unit: 'seconds' } } },
    { path: 'rise', text: 'delta(mean)' },
    {
      path: 'most',
      text: 'mean',
      windows: {
        window: { mode: 'SCALAR', figure: { name: 'max' }, span: { size: 30, unit: 'seconds' } },
      },
    },
  ])
  if (!compute) throw new Error('these are formulas')
  const others = new Map([['a', pages(every(5_000, (step) => step))]])
  const one: RehearsedLeaf = {
    path: 'Oven:1/most',
    type: 'double',
    formula: { texts: [], from: {} },
  }
  const { result } = await rehearse(one, { others, compute }, span)
  expect(result.after).toMatchObject({ count: 2, max: 8.5, last: { t: 30_000, v: 8.5 } })
})
