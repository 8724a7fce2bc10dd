import { expect, test } from 'vitest'
import { durationText } from './duration-text.ts'

const minute = 60_000
const hour = 60 * minute

test('a length of time has one form of unit in each language', () => {
  const spaced = (locale: string) => durationText(13 * hour + 44 * minute, locale)
  expect(spaced('de-DE')).toBe('13 Std. 44 Min.')
  expect(spaced('en-US')).toBe('13 hr 44 min')
  for (const locale of ['es-ES', 'fr-FR', 'it-IT']) {
    expect(spaced(locale).replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ')).toBe('13 h 44 min')
  }
})

test('a length of time names its largest units, and no second is written', () => {
  expect(durationText(75 * hour + minute, 'en-US')).toBe('3 days 3 hr')
  expect(durationText(75 * hour, 'en-US', 1)).toBe('3 days')
  expect(durationText(400, 'en-US')).toBe('0 sec')
  expect(durationText(-5, 'en-US')).toBe('0 sec')
})
