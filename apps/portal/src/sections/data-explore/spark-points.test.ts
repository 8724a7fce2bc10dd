import { expect, test } from 'vitest'
import { sparkOf } from './spark-points.ts'

const window = { from: 100, to: 200 }

test('a small line shows the points of the window alone', () => {
  const line = { times: [50, 100, 150, 200, 250], values: [1, 2, null, 4, 5] }
  expect(sparkOf(line, window)).toEqual({ times: [100, 150, 200], values: [2, null, 4] })
})

test('of many points 60 are taken, the first and the last of the window among them', () => {
  const times = Array.from({ length: 1_000 }, (_, index) => index)
  const { times: taken, values } = sparkOf({ times, values: times }, window)
  expect(taken).toHaveLength(60)
  expect([taken[0], taken.at(-1)]).toEqual([100, 200])
  expect(values).toEqual(taken)
})

test('a window without a point has no line, one with a single point has that', () => {
  expect(sparkOf({ times: [10], values: [1] }, window)).toEqual({ times: [], values: [] })
  expect(sparkOf({ times: [10, 120], values: [1, 2] }, window)).toEqual({
    times: [120],
    values: [2],
  })
})
