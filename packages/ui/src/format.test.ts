import { expect, test } from 'vitest'
import { formatAge, formatBytes, formatTime, formatValue } from './format.ts'

const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, ' ')
const now = new Date('2026-07-01T12:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000)

test.each([
  [0, 'now'],
  [1, '1s ago'],
  [59.9, '59s ago'],
  [60, '1m ago'],
  [3_599, '59m ago'],
  [3_600, '1h ago'],
  [86_399, '23h ago'],
  [-90, 'in 1m'],
])('%d seconds before now read %j', (seconds, text) =>
  expect(formatAge(before(seconds), now, 'en')).toBe(text),
)

test('an age of a day or more is a date, with its time in the zone of the person', () => {
  const text = plain(formatAge(before(86_400), now, 'en-GB', 'Europe/Rome'))
  expect(text).toBe('30 Jun 2026, 14:00:00')
  expect(plain(formatTime(before(0), 'de', 'America/New_York'))).toBe('01.07.2026, 08:00:00')
})

test.each([
  ['de', 'vor 5 Min.'],
  ['fr', 'il y a 5 min'],
  ['es', 'hace 5 min'],
  ['it', '5 min fa'],
])('in %s an age keeps the word that says it is past', (locale, text) =>
  expect(plain(formatAge(before(300), now, locale))).toBe(text),
)

test.each([
  [undefined, '—'],
  [null, '—'],
  [Number.NaN, '—'],
  [0, '0 bar'],
  [Infinity, '∞ bar'],
  [-Infinity, '−∞ bar'],
  [1234.567, '1,235 bar'],
])('%s with a unit reads %j', (value, text) =>
  expect(plain(formatValue(value, { unit: 'bar' }))).toBe(text),
)

test('an empty unit adds no space', () => {
  expect(formatValue(5, { unit: '' })).toBe('5')
  expect(formatValue(5)).toBe('5')
})

test('a negative size keeps its sign and its unit, and a size beyond all units stays in the largest', () => {
  expect(plain(formatBytes(-2048))).toBe('-2.0 KiB')
  expect(plain(formatBytes(1024 ** 6))).toBe('1,024.0 PiB')
  expect(plain(formatBytes(1536, { decimals: 2, locale: 'de' }))).toBe('1,50 KiB')
})
