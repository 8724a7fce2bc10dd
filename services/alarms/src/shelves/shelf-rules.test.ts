import { expect, test } from 'vitest'
import { faultOfEnd, isLong, shelfTimes } from './shelf-rules.ts'

const now = Date.UTC(2026, 0, 5, 12)
const minute = 60_000

test.each([
  [13.9, 'short'],
  [14, undefined],
  [15, undefined],
  [7 * 24 * 60, undefined],
  [7 * 24 * 60 + 1, undefined],
  [7 * 24 * 60 + 1.1, 'long'],
  [-1, 'short'],
])('a shelf that ends in %s minutes is %s [R-22 in part]', (minutes, fault) => {
  expect(faultOfEnd(now + minutes * minute, now)).toBe(fault)
})

test('eight hours from its beginning are plain, more are long', () => {
  expect(isLong(now + shelfTimes.plain, now)).toBe(false)
  expect(isLong(now + shelfTimes.plain + 2 * minute, now)).toBe(true)
})
