import { expect, test } from 'vitest'
import { shelfEndOf, remainingParts, toWritten } from './shelf-ends.ts'

const now = new Date(2026, 0, 5, 12, 30).getTime()

test('an end is some minutes from now, or the written time of the browser’s zone', () => {
  expect(shelfEndOf({ minutes: 15 }, now)).toBe(now + 900_000)
  expect(shelfEndOf({ written: '2026-01-05T13:00' }, now)).toBe(now + 1_800_000)
  expect(shelfEndOf({ written: '' }, now)).toBeUndefined()
  expect(shelfEndOf({ written: toWritten(now) }, now)).toBe(now)
})

test('the time that remains is rounded up to whole minutes', () => {
  expect(remainingParts(1)).toEqual({ days: 0, hours: 0, minutes: 1 })
  expect(remainingParts(7_200_000)).toEqual({ days: 0, hours: 2, minutes: 0 })
  expect(remainingParts(90_000_000)).toEqual({ days: 1, hours: 1, minutes: 0 })
  expect(remainingParts(-5)).toEqual({ days: 0, hours: 0, minutes: 0 })
})
