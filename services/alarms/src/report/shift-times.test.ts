import { expect, test } from 'vitest'
import { shiftsInOrder, shiftsWithin } from './shift-times.ts'

const at = (text: string) => Date.parse(text)
const hours = ({ from, to }: { from: number; to: number }) => (to - from) / 3_600_000
const three = ['06:00', '14:00', '22:00']

test('shifts are cut to the time, and the first one began the evening before [R-22 in part]', () => {
  const day = { from: at('2026-01-05T00:00Z'), to: at('2026-01-06T00:00Z') }
  const shifts = shiftsWithin(three, 'UTC', day)
  expect(shifts.map((one) => [one.kind, hours(one)])).toEqual([
    [2, 6],
    [0, 8],
    [1, 8],
    [2, 2],
  ])
  expect(shifts[0]?.from).toBe(day.from)
})

test('a night in which the clock changes has 7 or 9 hours', () => {
  const night = (from: string, to: string) =>
    shiftsWithin(three, 'Europe/Berlin', { from: at(from), to: at(to) })
      .filter(({ kind }) => kind === 2)
      .map(hours)
  expect(night('2026-03-28T12:00Z', '2026-03-29T12:00Z')).toEqual([7])
  expect(night('2026-10-24T12:00Z', '2026-10-25T12:00Z')).toEqual([9])
})

test('one shift is a day of its own, and times are taken once and in order', () => {
  const days = shiftsWithin(['06:30'], 'Asia/Kolkata', {
    from: at('2026-01-05T01:00Z'),
    to: at('2026-01-07T01:00Z'),
  })
  expect(days.map(hours)).toEqual([24, 24])
  expect(shiftsInOrder(['22:00', '06:00', '22:00'])).toEqual(['06:00', '22:00'])
})
