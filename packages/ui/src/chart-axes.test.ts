import { expect, test } from 'vitest'
import { timeTexts } from './chart-axes.ts'

const at = Date.UTC(2026, 10, 23, 8, 5)
const texts = (locale: string, stepMs = 300_000) =>
  timeTexts([at, at + stepMs], stepMs, { locale, zone: 'UTC' })

test('times below a chart read as everywhere else in the language', () => {
  const plain = (text: string | undefined) => text?.replaceAll('\u202f', ' ')
  expect(texts('en-US').map(plain)).toEqual(['8:05 AM\nNov 23', '8:10 AM'])
  expect(texts('de')).toEqual(['08:05\n23. Nov.', '08:10'])
  expect(texts('en-US-u-hc-h23')[1]).toBe('08:10')
  expect(plain(texts('en-US', 5_000)[1])).toBe('8:05:05 AM')
  expect(texts('de', 250)[1]).toBe('08:05:00,250')
})
