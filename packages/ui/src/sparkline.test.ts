import { expect, test } from 'vitest'
import { thinned } from './Sparkline.tsx'

test('a short history is taken whole', () => {
  expect(thinned([1, 2, 3], ['a', 'b', 'c'], 3)).toEqual({
    times: [1, 2, 3],
    values: ['a', 'b', 'c'],
  })
})

test('of a long history points are taken evenly in time, the first and the last among them', () => {
  const times = Float64Array.from({ length: 1_001 }, (_, index) => index)
  const { times: taken, values } = thinned(
    times,
    times.map((at) => at * 2),
    5,
  )
  expect(taken).toEqual([0, 250, 500, 750, 1_000])
  expect(values).toEqual([0, 500, 1_000, 1_500, 2_000])
})

test('points that come in a burst are not taken twice', () => {
  const { times } = thinned([0, 97, 98, 99, 100], [1, 2, 3, 4, 5], 4)
  expect(times).toEqual([0, 100])
})
