import { expect, test } from 'vitest'
import { numberStyles, numberText } from './xlsx-styles.ts'
import { createXmlReader } from './xml-reader.ts'

const stylesIn = (xml: string) =>
  numberStyles((listener) => {
    const reader = createXmlReader(listener)
    reader.write(xml)
    reader.end()
  })

const styleOf = (format: string) =>
  stylesIn(
    `<s><numFmts><numFmt numFmtId="200" formatCode="${format}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></s>`,
  )[0]

test.each([
  ['dd/mm/yyyy', 'time'],
  ['h:mm AM/PM', 'time'],
  ['[h]:mm:ss', 'time'],
  ['[$-407]d. mmmm yyyy', 'time'],
  ['General', 'plain'],
  ['#,##0.00', 'plain'],
  ['0.00%', 'plain'],
  ['[Red]#,##0;[Blue]-#,##0', 'plain'],
  ['0.0 &quot;days&quot;', 'plain'],
  [String.raw`0 \d`, 'plain'],
  ['00000', { digits: 5 }],
])('the format %s means %j', (format, style) => expect(styleOf(format)).toEqual(style))

test('formats that every workbook has are known, and only those of cells count', () => {
  const xml = `<s><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${[0, 9, 14, 22, 46, 49]
    .map((id) => `<xf numFmtId="${id}"/>`)
    .join('')}</cellXfs></s>`
  expect(stylesIn(xml)).toEqual(['plain', 'plain', 'time', 'time', 'time', 'plain'])
})

test.each([
  [46_347, '2026-11-21'],
  [46_347.5, '2026-11-21T12:00:00'],
  [0.75, '18:00:00'],
  [0, '00:00:00'],
  [61, '1900-03-01'],
  [59, '1900-02-28'],
  [1, '1900-01-01'],
])('day %d of a workbook since 1900 is %s', (day, text) =>
  expect(numberText(day, 'time', 1900)).toBe(text),
)

test('milliseconds are written only where there are some', () => {
  expect(numberText(46_347 + 1.5 / 86_400, 'time', 1900)).toBe('2026-11-21T00:00:01.500')
})

test('numbers keep the zeros in front that their format shows', () => {
  expect(numberText(42, { digits: 5 }, 1900)).toBe('00042')
  expect(numberText(123_456, { digits: 5 }, 1900)).toBe('123456')
  expect(numberText(0.1, 'plain', 1900)).toBe('0.1')
})

test('a number that is no time, though its format is one, stays a number', () => {
  expect(numberText(1e12, 'time', 1900)).toBe('1000000000000')
})
