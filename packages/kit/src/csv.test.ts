import { expect, test } from 'vitest'
import { parse } from 'csv-parse/sync'
import { clipboardLine, csvCell, csvLine, csvText, unguardFormula } from './csv.ts'
import { readTable } from './table-text.ts'

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

test('a text that would run as a formula is made harmless', () => {
  expect(csvLine(['=1+1', '+a', '@b', '-c', 'x'])).toBe("'=1+1,'+a,'@b,'-c,x\r\n")
})

test('numbers keep their sign and their dot', () => {
  expect(csvLine([-1.5, 1e21, true, null, undefined])).toBe('-1.5,1e+21,true,,\r\n')
})

test('commas, quotes and line breaks stay inside their cell', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\nlines'])).toBe('"a,b","say ""x""","two\nlines"\r\n')
})

test('an infinite number is guarded, and a decimal comma leaves numbers numbers', () => {
  expect([-Infinity, Infinity, NaN].map((one) => csvCell(one))).toEqual([
    "'-Infinity",
    'Infinity',
    'NaN',
  ])
  expect([-1.5, -1, 1e21, '-1.5'].map((one) => csvCell(one, ','))).toEqual([
    '"-1,5"',
    '-1',
    '1e+21',
    "'-1.5",
  ])
})

test('an object is a cell of JSON', () => {
  expect(csvLine([[-1, 2], { a: 'b;"c"' }, []])).toBe('"[-1,2]","{""a"":""b;\\""c\\""""}",[]\r\n')
})

const starts = ['', ' ', '\u00A0', '\u200B', '\t', '\r', '\n', '\r\n']
const signs = ['=', '+', '-', '@', '＝', '－', '"', ',', ';', '|', 'a', "it's", 'ä', '🙂', '']
const ends = ['', 'x', '1,2', 'a;b', 'say "x"', 'two\nlines', 'two\r\nlines', 'a\tb']
const texts = starts.flatMap((start) =>
  signs.flatMap((sign) => ends.map((end) => start + sign + end)),
)

test('reading a line gives back every text that was written', () => {
  const lines = texts.map((text) => csvLine([text, 'end']))
  const read: string[][] = parse(lines.join(''), { recordDelimiter: '\r\n' })
  expect(read.map(([cell = '']) => unguardFormula(cell))).toEqual(texts)
})

test('a table that is written and read again is the same, but for blanks at the edges', () => {
  // A negative number and a text such as "-1" cannot be told apart by a reader.
  for (const text of texts.filter((one) => one.trim() !== '')) {
    const table = readTable(csvLine(['name', 'note']) + csvLine([text, 'end']))
    expect(typeof table === 'string' ? table : table.rows[0]?.cells[0]?.trim()).toBe(text.trim())
  }
})

test('what is copied for a spreadsheet runs no formula and stays in its cell', () => {
  expect(clipboardLine(['=1', -1, 'a\tb\r\nc', undefined, ' @x'])).toBe("'=1\t-1\ta b c\t\t' @x")
})
