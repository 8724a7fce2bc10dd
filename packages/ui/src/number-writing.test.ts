import { expect, test } from 'vitest'
import { numberFormat, numberWritings, withNumbers } from './number-writing.ts'

test('the writing that follows the language changes nothing', () => {
  expect(withNumbers('de-CH', 'auto')).toBe('de-CH')
  expect(numberFormat('de-CH').format(1234.5)).toBe(new Intl.NumberFormat('de-CH').format(1234.5))
})

test('each writing is a locale that the browser accepts for dates and texts', () => {
  for (const writing of numberWritings) {
    const locale = withNumbers('it-IT', writing)
    expect(new Intl.DateTimeFormat(locale).resolvedOptions().locale).toMatch(/^it/)
    expect(new Intl.PluralRules(locale).select(1)).toBe('one')
  }
})

test('percents, currencies and signs are written with the chosen marks too', () => {
  const locale = withNumbers('en', 'comma')
  expect(numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(0.1234)).toBe(
    '12,3%',
  )
  expect(numberFormat(locale, { style: 'currency', currency: 'EUR' }).format(-1234.5)).toBe(
    '-€1.234,50',
  )
})

test('short forms of large numbers are not grouped by force', () => {
  const options: Intl.NumberFormatOptions = { notation: 'compact', maximumFractionDigits: 1 }
  expect(numberFormat(withNumbers('en', 'comma'), options).format(1_234_567)).toBe('1,2M')
})

test('a writing that nobody knows is read as that of the language', () => {
  expect(numberFormat('en-x-num-roman').format(1234.5)).toBe('1,234.5')
})

test('the same question is answered by the same format, so that long lists are fast', () => {
  const locale = withNumbers('de', 'quote')
  expect(numberFormat(locale, { maximumFractionDigits: 2 })).toBe(
    numberFormat(locale, { maximumFractionDigits: 2 }),
  )
  expect(numberFormat(locale, { maximumFractionDigits: 2 })).not.toBe(numberFormat(locale))
})
