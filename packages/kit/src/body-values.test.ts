import { expect, test } from 'vitest'
import { mostValuesOf, usualValues, valuesAbove } from './body-values.ts'

const texts = {
  'a list of empty objects': [`[${'{},'.repeat(99)}{}]`, 201],
  'names with their values': [
    `{${Array.from({ length: 100 }, (_, n) => `"k${n}": ${n}`).join()}}`,
    101,
  ],
  'signs within texts': [`["[[[[,,,,{{{{", "\\",[,", "\\\\",1,"${'x,'.repeat(50)}"]`, 6],
  'a text without an end': [`["${'[,'.repeat(50)}`, 2],
} as const

test.each(Object.entries(texts))('%s is counted', (_, [text, values]) => {
  const padded = text.padEnd(2 * values + 1)
  expect(valuesAbove(values, padded)).toBeUndefined()
  expect(valuesAbove(values - 1, padded)).toMatchObject({
    status: 413,
    code: 'request.too_many_values',
    details: { field: 'body', limit: values - 1 },
  })
})

test('a call has the usual limit unless it says another, and services among themselves have none', () => {
  const call = { method: 'POST', path: '/x', result: {} as never } as const
  expect(mostValuesOf({ ...call, access: 'member' })).toBe(usualValues)
  expect(mostValuesOf({ ...call, access: 'member', mostValues: 7 })).toBe(7)
  expect(mostValuesOf({ ...call, access: 'service' })).toBe(Number.POSITIVE_INFINITY)
})
