import fc from 'fast-check'
import { expect, test } from 'vitest'
import { merged, runs } from './columns.ts'
import { Live } from './live.ts'
import type { Value } from './point.ts'
import { BucketSeries } from './summary.ts'
import { decodeParts, encodeParts } from './tail-codec.ts'
import { decodeTail, noTail, tailOf, tailsOf } from './tails.ts'

const value = fc.oneof(
  { weight: 5, arbitrary: fc.double({ noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom<Value>(null, true, false, 'open', { a: [1, 'ä'] }) },
)
const row = fc.record({
  series: fc.integer({ min: 1, max: 4 }),
  t: fc.integer({ min: 1e12, max: 1e12 + 50 }),
  v: value,
  q: fc.constantFrom(0, 0, 0, 2),
})

test('an answer holds the values that its process has in memory, at any place in a message', () => {
  fc.assert(
    fc.property(
      fc.array(row),
      fc.integer({ min: 0, max: 9 }),
      fc.nat(50),
      (rows, offset, since) => {
        const live = new Live()
        for (const { series, t, v, q } of rows) live.add(series, t, v, q)
        const range = { series: [1, 2, 3, 4, 5], since: 1e12 + since, to: 1e12 + 40 }
        const data = tailOf(live, { ...range, newest: false })
        const message = new Uint8Array(offset + data.length)
        message.set(data, offset)
        const tails = tailsOf([decodeTail(message.subarray(offset), false)])
        const newest = decodeTail(tailOf(live, { ...range, newest: true }), true)
        for (const id of range.series) {
          const found = tails.columns(id, range.since, range.to)
          const known = live.columns(id, range.since, range.to)[0]
          expect([...found.t]).toEqual([...(known?.t ?? [])])
          expect([...found.v]).toEqual([...(known?.v ?? [])])
          expect([...(found.q ?? found.t.map(() => 0))]).toEqual([
            ...(known?.q ?? found.t.map(() => 0)),
          ])
          const { t, v } = tailsOf([newest]).last(id)
          const point = live.newest(id)
          expect([t[0], v[0]]).toEqual([point?.t, point?.v])
        }
      },
    ),
  )
})

test('an answer of more than 512 kB is none', () => {
  const live = new Live()
  const ask = () => tailOf(live, { series: [1], since: 0, to: 1e15, newest: false })
  for (let n = 0; n < 30_000; n += 1) live.add(1, 1e12 + n, n, 0)
  expect(ask().length).toBeGreaterThan(480_000)
  for (let n = 30_000; n < 33_000; n += 1) live.add(1, 1e12 + n, n, 0)
  expect(ask()).toBe(noTail)
})

test('texts that would not fit are not encoded at all', () => {
  const live = new Live()
  let encoded = 0
  const value = { toJSON: () => (encoded += 1) }
  for (let n = 0; n < 200_000; n += 1) live.add(1, 1e12 + n, value, 0)
  encoded = 0
  expect(tailOf(live, { series: [1], since: 0, to: 1e15, newest: false })).toBe(noTail)
  expect(encoded).toBe(0)
})

test('figures arrive as they were sent', () => {
  const number = fc.double({ noNaN: true })
  const none = { min: null, max: null, sum: null, first: null, last: null }
  const counts = { t0: number, t1: number, n: fc.nat() }
  const summary = fc.oneof(
    fc.record({ ...counts, numbers: fc.constant(0) }).map((one) => ({ ...one, ...none })),
    fc.record({
      ...counts,
      numbers: fc.integer({ min: 1, max: 1e6 }),
      min: number,
      max: number,
      sum: number,
      first: number,
      last: number,
    }),
  )
  const runsOf = fc.array(fc.array(summary, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(fc.array(runsOf, { maxLength: 3 }), (all) => {
      const parts = all.map((figures, series) => ({ series, figures }))
      const data = encodeParts(parts, 1e6)
      expect([...decodeParts(data ?? Buffer.alloc(0))]).toEqual(parts)
    }),
  )
})

test('figures of an answer give the same buckets as its values, bit by bit', () => {
  const times = fc.oneof(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 0, max: 4e7 }))
  const rows = fc.array(fc.tuple(times, value), { maxLength: 60 })
  const bursts = fc.array(fc.tuple(fc.integer({ min: 0, max: 3e7 }), fc.nat(200)), { maxLength: 3 })
  let short = 0
  fc.assert(
    fc.property(rows, bursts, fc.constantFrom(1_000, 300_000, 1e9), (some, dense, width) => {
      const live = new Live()
      for (const [from, count] of dense)
        for (let n = 0; n < count; n += 1) live.add(1, from + n * 1_000, n / 10, 0)
      for (const [t, v] of some) live.add(1, t, v, 0)
      const range = { since: 77, to: 3.5e7 }
      const answer = tailOf(live, { series: [1], ...range, newest: false, width })
      const [figures] = tailsOf([decodeTail(answer, false)]).figures(1)
      const columns = merged(live.columns(1, range.since, range.to))
      if (!figures) return
      short += 1
      const ofFigures = new BucketSeries(range.since, width)
      for (const summary of figures.flat()) ofFigures.addSummary(summary)
      const ofValues = new BucketSeries(range.since, width)
      for (const run of runs(columns)) ofValues.addColumns(run)
      expect(ofFigures.buckets()).toEqual(ofValues.buckets())
    }),
  )
  expect(short).toBeGreaterThan(10)
})

test('figures are made of at most 200,000 values', () => {
  const live = new Live()
  const ask = () =>
    tailOf(live, { series: [1, 2], since: 0, to: 1e15, newest: false, width: 60_000 })
  for (let n = 0; n < 200_000; n += 1) live.add(1, 1e12 + n, n, 0)
  expect(ask().length).toBeLessThan(500)
  live.add(2, 1e12, 1, 0)
  expect(ask()).toBe(noTail)
})
