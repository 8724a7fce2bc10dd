import { formatBytes } from './format.ts'
import { expect, test } from 'vitest'
import { readableNumber } from './number-format.ts'

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
