import { expect, test } from 'vitest'
import { bytesIn, forecast, isForecastable, nextSize, scaleOf } from './storage-rules.ts'

const day = 86_400_000
const now = Date.UTC(2026, 0, 1)
const gib = 1024 ** 3

test('a forecast needs seven days of values', () => {
  const day = 86_400_000
  expect(
    [null, 0, 6.9 * day, 7 * day].map((ago) =>
      isForecastable(100 * day, ago === null ? null : 100 * day - ago),
    ),
  ).toEqual([false, false, false, true])
})

test('storage grows as in the last week until a rule for everything stops it', () => {
  const asked = { bytes: 10 * gib, bytesPerDay: gib, now }
  expect(bytesIn(30, asked)).toBe(40 * gib)
  expect(bytesIn(300, { ...asked, keepDays: 90 })).toBe(90 * gib)
  // What is there is not less tomorrow because the rule is short.
  expect(bytesIn(300, { ...asked, keepDays: 5 })).toBe(10 * gib)
  const { times, values } = forecast(asked)
  expect(times).toHaveLength(53)
  expect(values[1]).toBe(17 * gib)
})

test('the next round size comes with its day', () => {
  expect(nextSize({ bytes: 10 * gib, bytesPerDay: gib, now })).toEqual({
    bytes: 40 * gib,
    at: now + 30 * day,
  })
  expect(nextSize({ bytes: 10 * gib, bytesPerDay: 0, now })).toBeUndefined()
  expect(nextSize({ bytes: 10 * gib, bytesPerDay: gib, now, keepDays: 20 })).toBeUndefined()
})

test('the axis has the unit that makes its numbers short', () => {
  expect(scaleOf(0)).toEqual({ name: 'B', size: 1 })
  expect(scaleOf(1023 * 1024)).toEqual({ name: 'KiB', size: 1024 })
  expect(scaleOf(gib)).toEqual({ name: 'GiB', size: gib })
  expect(scaleOf(1024 ** 7)).toEqual({ name: 'PiB', size: 1024 ** 5 })
})
