import { expect, test } from 'vitest'
import { daysOf, startOfUnit } from './days.ts'
import { clockText, isoText } from './iso-time.ts'
import { stepsOf } from './steps.ts'
import { spanMs } from './units.ts'
import { addDays, fieldText, instantOf, instantOfField, wallTime } from './wall-time.ts'
import { isTimezone, offsetsOf } from './zone-offset.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
const rome = 'Europe/Rome'
const zones = [
  rome,
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'UTC',
  'America/Santiago',
]

test('offsets follow the clock changes of a zone, also when zones are asked in turns', () => {
  expect(offsetsOf(rome)(utc('2026-03-29T00:59:59.999'))).toBe(60)
  expect(offsetsOf('America/St_Johns')(utc('2026-07-01T12:00'))).toBe(-150)
  expect(offsetsOf(rome)(utc('2026-03-29T01:00'))).toBe(120)
  expect(offsetsOf('UTC')(0)).toBe(0)
  expect([isTimezone(rome), isTimezone('Europe/Atlantis')]).toEqual([true, false])
})

test('a time is written in a zone with its offset, and is read back', () => {
  const at = utc('2026-07-01T12:00:00.250')
  expect(isoText(rome)(at)).toBe('2026-07-01T14:00:00.250+02:00')
  expect(isoText('America/St_Johns')(at)).toBe('2026-07-01T09:30:00.250-02:30')
  expect(isoText()(at)).toBe('2026-07-01T12:00:00.250Z')
  expect(clockText('Asia/Kathmandu')(at)).toBe('2026-07-01T17:45:00.250')
  for (const zone of zones) expect(Date.parse(isoText(zone)(at))).toBe(at)
})

test.each(zones)('each hour of a year is found again by its clock in %s', (zone) => {
  const twice: number[] = []
  for (let at = utc('2026-01-01T00:30'); at < utc('2027-01-01T00:00'); at += 3_600_000) {
    const found = instantOf(wallTime(at, zone), zone)
    if (found !== at) twice.push(at - found)
  }
  // An hour, or half of one, that comes twice is the first one.
  expect(twice.length).toBeLessThanOrEqual(1)
  for (const late of twice) expect([1_800_000, 3_600_000]).toContain(late)
})

test('a time that the clock skips counts with the offset before the change', () => {
  const skipped = wallTime(utc('2026-03-29T02:30'), 'UTC')
  expect(instantOf(skipped, rome)).toBe(utc('2026-03-29T01:30'))
})

test('days begin at midnight of the zone, of 23 and 25 hours too, and where midnight is skipped', () => {
  const { dayAt, startOf } = daysOf(rome)
  const spring = dayAt(utc('2026-03-29T12:00'))
  expect(startOf(spring + 1) - startOf(spring)).toBe(23 * 3_600_000)
  const autumn = dayAt(utc('2026-10-25T12:00'))
  expect(startOf(autumn + 1) - startOf(autumn)).toBe(25 * 3_600_000)
  const santiago = daysOf('America/Santiago')
  const noMidnight = santiago.dayAt(utc('2026-09-06T12:00'))
  expect(isoText('America/Santiago')(santiago.startOf(noMidnight))).toContain('2026-09-06T01:00')
})

test('weeks begin on Monday, months and years on their first day', () => {
  const at = utc('2026-11-21T14:05')
  const start = (unit: 'days' | 'weeks' | 'months' | 'years') =>
    isoText(rome)(startOfUnit(at, unit, rome))
  expect(start('days')).toBe('2026-11-21T00:00:00.000+01:00')
  expect(start('weeks')).toBe('2026-11-16T00:00:00.000+01:00')
  expect(start('months')).toBe('2026-11-01T00:00:00.000+01:00')
  expect(start('years')).toBe('2026-01-01T00:00:00.000+01:00')
  expect(startOfUnit(utc('1969-12-30T12:00'), 'weeks', 'UTC')).toBe(utc('1969-12-29T00:00'))
})

test('steps have equal lengths, or follow the calendar of a zone', () => {
  const range = { since: utc('2026-03-28T12:00'), to: utc('2026-03-31T00:00') }
  expect(stepsOf({ size: 1, unit: 'days' }, range).starts).toHaveLength(3)
  const { starts, to } = stepsOf({ size: 1, unit: 'days' }, { ...range, timezone: rome })
  expect(starts.map((start) => isoText(rome)(start).slice(5, 16))).toEqual([
    '03-28T13:00',
    '03-29T00:00',
    '03-30T00:00',
    '03-31T00:00',
  ])
  expect(to).toBe(range.to)
  const months = stepsOf(
    { size: 2, unit: 'months' },
    { since: utc('2026-01-15T00:00'), to: utc('2026-06-01T00:00') },
  )
  expect(months.starts.map((start) => isoText()(start).slice(0, 10))).toEqual([
    '2026-01-15',
    '2026-03-01',
    '2026-05-01',
  ])
  expect(spanMs({ size: 0.1, unit: 'milliseconds' })).toBe(1)
})

test('days are added to a date across months and clock changes', () => {
  const noon = wallTime(utc('2026-03-28T11:00'), rome)
  expect(instantOf(addDays(noon, 1), rome)).toBe(utc('2026-03-29T10:00'))
  expect(addDays(noon, -28)).toMatchObject({ month: 2, day: 28, hour: 12 })
})

test('a field for date and time shows the clock of the zone and is read back', () => {
  const at = utc('2026-11-21T13:05:07')
  expect(fieldText(at, rome)).toBe('2026-11-21T14:05:07')
  expect(fieldText(at - 7_000, rome)).toBe('2026-11-21T14:05')
  for (const zone of zones) expect(instantOfField(fieldText(at, zone), zone)).toBe(at)
  expect(instantOfField('', rome)).toBeUndefined()
})
