import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestRows } from './time-order.ts'

const byHand = (times: number[]) =>
  [...new Map(times.map((t, row) => [t, row]))].toSorted(([a], [b]) => a - b).map(([, row]) => row)

test('rows come in order of time, of one time the last, however they arrived', () => {
  const times = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 60 })
  fc.assert(
    fc.property(times, (list) => {
      expect([...newestRows(Float64Array.from(list))]).toEqual(byHand(list))
    }),
  )
})

test('two long stretches over the same time are one pass', () => {
  const once = Array.from({ length: 200_000 }, (_, n) => n)
  const rows = newestRows(Float64Array.from([...once, ...once]))
  expect(rows).toHaveLength(200_000)
  expect([rows[0], rows.at(-1)]).toEqual([200_000, 399_999])
})
