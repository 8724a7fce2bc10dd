import { expect, test } from 'vitest'
import { csvText } from './spreadsheet-text.ts'

test('what a spreadsheet would run or part is made harmless, and plain texts stay', () => {
  const dangerous = [
    '=1+1',
    '+1',
    '-1',
    '@a',
    '  =1+1',
    '\u00A0=1+1',
    '\u200B=1',
    '＝1+1',
    '－1',
    '＠a',
  ]
  for (const text of dangerous) expect(csvText(text)).toBe(`'${text}`)
  expect(csvText('\t1')).toBe(`"'\t1"`)
  expect(csvText('x;=1+1')).toBe('"x;=1+1"')
  expect(csvText('a "b", c')).toBe('"a ""b"", c"')
  for (const text of ['Oven 1', 'a=b', 'a-b', '', 'ä', "it's"]) expect(csvText(text)).toBe(text)
})
