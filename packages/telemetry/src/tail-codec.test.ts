import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Live } from './live.ts'
import type { Value } from './point.ts'
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
