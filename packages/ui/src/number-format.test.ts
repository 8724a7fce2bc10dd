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
