import { csvText } from '@longreach/kit/spreadsheet-text'

/**
 * Lines of CSV (RFC 4180) with a mark that makes spreadsheets read UTF-8. A text that a spreadsheet
 * would run as a formula gets an apostrophe in front.
 */
export const csvSheet = (rows: readonly (readonly (string | number)[])[]) =>
  `\uFEFF${rows.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')}`

function cellText(cell: string | number) {
  if (typeof cell === 'number') return String(cell)
  return csvText(cell)
}
