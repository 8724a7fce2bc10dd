import { expect, test } from 'vitest'
import { awayOf, presencesOf } from './connections.ts'
import { apartBy, joined } from './history.ts'

test('a value sent on change may rest as long as it likes', () => {
  expect(apartBy({}, 'raw', [])(0, 86_400_000)).toBe(false)
})

test('a value sent at an interval belongs apart after three of them', () => {
  const apart = apartBy({ everyMs: 1000 }, 'raw', [])
  expect(apart(0, 3000)).toBe(false)
  expect(apart(0, 3001)).toBe(true)
})

test('a bucket that covers more than the interval does not break the line', () => {
  expect(apartBy({ everyMs: 1000 }, 60_000, [])(0, 120_000)).toBe(false)
})

test('the time that a device was away is a gap', () => {
  const apart = apartBy({}, 'raw', [{ from: 10, to: 20 }])
  expect(apart(5, 25)).toBe(true)
  expect(apart(12, 14)).toBe(false)
})

test('a device that has not come back is away until now', () => {
  expect(
    awayOf(
      presencesOf(
        [
          { at: 30, connected: false },
          { at: 0, connected: true },
          { at: 10, connected: false },
          { at: 20, connected: true },
        ],
        { from: 5, until: 99 },
      ),
    ),
  ).toEqual([
    { from: 10, to: 20 },
    { from: 30, to: 99 },
  ])
})

test('live values go on where the history ends', () => {
  const line = joined({ times: [1, 2], values: [10, 20] }, { times: [2, 3], values: [99, 30] })
  expect(line).toEqual({ times: [1, 2, 3], values: [10, 20, 30] })
})
