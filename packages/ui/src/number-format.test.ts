import { formatBytes, formatValue } from './format.ts'
import { expect, test } from 'vitest'
import { alignedNumber, readableNumber } from './number-format.ts'
import { numberFormat, withNumbers } from './number-writing.ts'

test.each([
  [47.23456, '47.23'],
  [118, '118'],
  [12_345.678, '12,346'],
  [0.00123456, '0.001235'],
  [-0.5, '-0.5'],
  [0, '0'],
])('%d reads %s', (value, text) => expect(readableNumber(value, 'en')).toBe(text))

test('four digits are grouped in every language', () => {
  expect(readableNumber(1234, 'es')).toBe('1.234')
  expect(readableNumber(1234.5, 'it')).toBe('1.235')
})

test('numbers beyond any scale are written as powers of ten', () => {
  expect(readableNumber(3e-9, 'en')).toBe('3E-9')
})

test('sizes have at most three digits before the unit [N-04]', () => {
  const sizes = [0, 999, 1_000, 999 * 1024, 1_019.4 * 1024, 1024 ** 2].map((bytes) =>
    formatBytes(bytes).replace('\u00a0', ' '),
  )
  expect(sizes).toEqual(['0 B', '999 B', '1.0 KiB', '999.0 KiB', '1.0 MiB', '1.0 MiB'])
  expect(formatBytes(1_500, { base: 1000 })).toBe('1.5\u00a0kB')
})

test.each([
  ['auto', ['12.345,6', '1.234,5', '1,5 KiB', '0,00123', '3,2E-9']],
  ['point', ['12,345.6', '1,234.5', '1.5 KiB', '0.00123', '3.2E-9']],
  ['comma', ['12.345,6', '1.234,5', '1,5 KiB', '0,00123', '3,2E-9']],
  ['space', ['12 345,6', '1 234,5', '1,5 KiB', '0,00123', '3,2E-9']],
  ['quote', ['12’345.6', '1’234.5', '1.5 KiB', '0.00123', '3.2E-9']],
] as const)('numbers are written as %s in every place', (writing, texts) => {
  const locale = withNumbers('de-DE-u-hc-h12', writing)
  const written = [
    alignedNumber(12_345.6, locale, 1),
    formatValue(1_234.5, { locale, digits: 5 }),
    formatBytes(1_536, { locale }),
    readableNumber(0.00123, locale),
    readableNumber(3.2e-9, locale),
  ]
  expect(written.map((text) => text.replaceAll(/[\u202f\u00a0]/g, ' '))).toEqual(texts)
})

test('a chosen writing groups four digits where the language would not, keeps the words of the language and its clock', () => {
  const locale = withNumbers('es-ES-u-hc-h12', 'quote')
  expect(numberFormat('es-ES').format(1234)).toBe('1234')
  expect(numberFormat(locale).format(1234)).toBe('1’234')
  expect(
    numberFormat(locale, { style: 'unit', unit: 'hour', unitDisplay: 'long' }).format(2.5),
  ).toBe('2.5 horas')
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  expect(time.resolvedOptions().hourCycle).toBe('h12')
})
