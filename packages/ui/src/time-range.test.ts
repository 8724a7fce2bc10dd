import { expect, test } from 'vitest'
import { fieldText, instantOfField } from '@longreach/calendar/wall-time'
import {
  clockChanges,
  endsNow,
  parseRange,
  quickRanges,
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

test.each([
  ['5m', 5],
  ['15m', 15],
  ['1h', 60],
  ['6h', 360],
  ['24h', 1_440],
  ['7d', 10_080],
  ['30d', 43_200],
  ['90d', 129_600],
] as const)('%s are the last %d minutes, in every zone', (range, minutes) => {
  const now = at('2026-10-25T03:00:00Z')
  const span = { from: now - minutes * 60_000, to: now }
  expect(resolveRange(range, now, 'Europe/Rome')).toEqual(span)
})

test('this month starts on its first day in the zone, while elsewhere it is still the month before', () => {
  const now = at('2026-03-01T02:00:00Z')
  expect(resolveRange('this-month', now, 'Europe/Rome').from).toBe(at('2026-02-28T23:00:00Z'))
  expect(resolveRange('this-month', now, 'America/New_York').from).toBe(at('2026-02-01T05:00:00Z'))
})

test('every quick range can be read from an address, and all but yesterday end now', () => {
  for (const range of quickRanges) {
    expect(parseRange(range)).toBe(range)
    expect(endsNow(range)).toBe(range !== 'yesterday')
  }
  expect(endsNow({ from: 0, to: Date.now() })).toBe(false)
})

test('zooming out of the past keeps the middle', () => {
  expect(widerWindow({ from: 1_000, to: 2_000 }, 1_000_000)).toEqual({ from: 500, to: 2_500 })
})

test('a window that ends in the future, as a planned one, is not cut at now', () => {
  expect(widerWindow({ from: 0, to: 2_000 }, 1_000).to).toBe(2_000)
})

test('the change back to winter time is found, and one of half an hour as such', () => {
  const october = window('2026-10-24T00:00:00Z', '2026-10-27T00:00:00Z')
  expect(clockChanges(october, 'Europe/Rome')).toEqual([
    { at: at('2026-10-25T01:00:00Z'), hours: -1 },
  ])
  const lordHowe = window('2026-10-01T00:00:00Z', '2026-10-08T00:00:00Z')
  expect(clockChanges(lordHowe, 'Australia/Lord_Howe').map(({ hours }) => hours)).toEqual([0.5])
})

test('a week shifted back over the start of summer time still begins at midnight', () => {
  const week = window('2026-03-29T22:00:00Z', '2026-04-05T22:00:00Z')
  expect(shiftWindow(week, -1, 'Europe/Rome')).toEqual(
    window('2026-03-22T23:00:00Z', '2026-03-29T22:00:00Z'),
  )
})
