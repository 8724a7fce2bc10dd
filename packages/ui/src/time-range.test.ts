import { expect, test } from 'vitest'
import { fieldText, instantOfField } from '@longreach/calendar/wall-time'
import {
  clockChanges,
  parseRange,
  rangeText,
  resolveRange,
  shiftWindow,
  widerWindow,
} from './time-range.ts'

const at = (text: string) => Date.parse(text)
const window = (from: string, to: string) => ({ from: at(from), to: at(to) })

test('a range survives the way through an address', () => {
  expect(parseRange(rangeText('24h'))).toBe('24h')
  const fixed = window('2026-03-01T10:00:00Z', '2026-03-02T10:00:00.500Z')
  expect(parseRange(rangeText(fixed))).toEqual(fixed)
})

test.each(['', '24x', 'x/y', '2026-03-02T00:00:00Z/2026-03-01T00:00:00Z', 'a/b/c'])(
  '%j is no range',
  (text) => expect(parseRange(text)).toBeUndefined(),
)

test('today starts at midnight of the chosen zone', () => {
  const now = at('2026-11-21T01:30:00Z')
  expect(resolveRange('today', now, 'Europe/Rome').from).toBe(at('2026-11-20T23:00:00Z'))
  expect(resolveRange('today', now, 'America/New_York').from).toBe(at('2026-11-20T05:00:00Z'))
})

test('yesterday has 23 hours when the clock went forward', () => {
  const { from, to } = resolveRange('yesterday', at('2026-03-30T10:00:00Z'), 'Europe/Berlin')
  expect((to - from) / 3_600_000).toBe(23)
})

test('a week starts on the day that the locale says', () => {
  const now = at('2026-11-21T12:00:00Z') // a Saturday
  expect(resolveRange('this-week', now, 'UTC', 1).from).toBe(at('2026-11-16T00:00:00Z'))
  expect(resolveRange('this-week', now, 'UTC', 7).from).toBe(at('2026-11-15T00:00:00Z'))
})

test('a local day shifted over the end of summer time stays a local day', () => {
  const saturday = window('2026-10-23T22:00:00Z', '2026-10-24T22:00:00Z')
  const sunday = shiftWindow(saturday, 1, 'Europe/Rome')
  expect(sunday).toEqual(window('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'))
  expect(shiftWindow(sunday, -1, 'Europe/Rome')).toEqual(saturday)
})

test('hours shift by their length whatever the calendar says', () => {
  const six = window('2026-10-24T20:00:00Z', '2026-10-25T02:00:00Z')
  expect(shiftWindow(six, 2, 'Europe/Rome')).toEqual(
    window('2026-10-25T08:00:00Z', '2026-10-25T14:00:00Z'),
  )
})

test('zooming out doubles the window and does not look into the future', () => {
  const now = at('2026-01-02T00:00:00Z')
  const wide = widerWindow({ from: now - 1000, to: now }, now)
  expect(wide).toEqual({ from: now - 2000, to: now })
})

test('the change of the clock is found to the minute', () => {
  const march = window('2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z')
  expect(clockChanges(march, 'Europe/Rome')).toEqual([{ at: at('2026-03-29T01:00:00Z'), hours: 1 }])
  expect(clockChanges(march, 'UTC')).toEqual([])
})

test('a field shows and reads the wall clock of the zone', () => {
  const instant = at('2026-07-01T12:30:00Z')
  expect(fieldText(instant, 'Europe/Rome')).toBe('2026-07-01T14:30')
  expect(instantOfField('2026-07-01T14:30', 'Europe/Rome')).toBe(instant)
  expect(instantOfField('2026-07-0', 'Europe/Rome')).toBeUndefined()
})

test('a time that the clock skips is read as the moment after the jump', () => {
  expect(instantOfField('2026-03-29T02:30', 'Europe/Rome')).toBe(at('2026-03-29T01:30:00Z'))
})
