import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentile, statisticsOf, weightedMean } from './statistics.ts'

const window = { from: 0, to: 100 }

test('figures of a line over a window [R-16]', () => {
  const line = { times: [-5, 0, 10, 40, 90, 200], values: [99, 2, 4, 4, 10, 99] }
  expect(statisticsOf(line, window)).toMatchObject({
    count: 4,
    min: 2,
    max: 10,
    mean: 5,
    weighted: (2 * 10 + 4 * 30 + 4 * 50 + 10 * 10) / 100,
    first: 2,
    firstAt: 0,
    last: 10,
    lastAt: 90,
    delta: 8,
    gaps: 0,
    p50: 4,
  })
  expect(statisticsOf(line, window)?.deviation).toBeCloseTo(3.4641, 4)
})

test('a gap is counted and measured, and its time weighs nothing [R-16]', () => {
  const line = { times: [0, 10, 11, 60, 80], values: [1, 1, null, 3, 3] }
  expect(statisticsOf(line, window)).toMatchObject({ gaps: 1, gapMs: 50, count: 4 })
  expect(weightedMean(line, window)).toBeCloseTo((1 * 11 + 3 * 40) / 51)
})

test('a line without a value in the window has no figures', () => {
  expect(statisticsOf({ times: [500], values: [1] }, window)).toBeUndefined()
  expect(statisticsOf({ times: [5], values: [null] }, window)).toBeUndefined()
})

test('percentiles lie between the ranks and rise with the share', () => {
  expect(percentile([1, 2, 3, 4], 0.5)).toBe(2.5)
  expect(percentile([7], 0.95)).toBe(7)
  const numbers = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 })
  fc.assert(
    fc.property(numbers, (list) => {
      const sorted = list.toSorted((a, b) => a - b)
      const [low, middle, high] = [0.05, 0.5, 0.95].map((share) => percentile(sorted, share))
      return sorted[0]! <= low! && low! <= middle! && middle! <= high! && high! <= sorted.at(-1)!
    }),
  )
})
