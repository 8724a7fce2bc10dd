/** A cell of a table: numbers with a dot and no grouping, nothing for null and undefined. */
export type CsvCell = string | number | boolean | object | null | undefined

/** Blanks in front are dropped by spreadsheets, and the wide signs of Japanese keyboards begin formulas too. */
const formula = /^[\s\u200B-\u200D\u2060]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/

/** A text that a spreadsheet would run as a formula gets an apostrophe in front (OWASP, CSV injection). */
const guardFormula = (text: string) => (formula.test(text) ? `'${text}` : text)

/** The text that `guardFormula` wrote, without the apostrophe. */
export const unguardFormula = (cell: string) =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell

/** Spreadsheets of many languages part cells at semicolons, whatever the file says. */
const special = /[",;\t\r\n]/

/** A text in quotes where a reader could part it (RFC 4180), without a guard against formulas. */
export const quoteCell = (text: string, parting = special) =>
  parting.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** A text as a cell of CSV: guarded against formulas, and quoted where needed. */
export const csvText = (text: string) => quoteCell(guardFormula(text))

/**
 * A value as a cell of CSV. Numbers keep their sign, for they are no formulas; an infinite one is a
 * word to a spreadsheet, and guarded as one. Objects are written as JSON.
 */
export function csvCell(cell: CsvCell, decimal: '.' | ',' = '.') {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return csvText(cell)
  if (typeof cell === 'object') return quoteCell(JSON.stringify(cell))
  const text = String(cell)
  if (typeof cell === 'boolean') return text
  if (!Number.isFinite(cell)) return guardFormula(text)
  return decimal === ',' ? quoteCell(text.replace('.', ',')) : text
}

/** A line of CSV (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]) =>
  `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`

/** The mark by which spreadsheets take a file for UTF-8. */
export const utf8Mark = '\uFEFF'

/** A line for a spreadsheet's clipboard: tabs between the cells, none inside, guarded as in a file. */
export const clipboardLine = (cells: readonly CsvCell[]) => cells.map(clipboardCell).join('\t')

const clipboardCell = (cell: CsvCell) => {
  const text = String(cell ?? '').replaceAll(/[\t\r\n]+/g, ' ')
  return typeof cell === 'string' ? guardFormula(text) : text
}
