import { csvText } from '@longreach/kit/spreadsheet-text'

/** A cell of a CSV file: numbers with a dot and no grouping, texts quoted where needed. */
type Cell = string | number | boolean | null | undefined

/**
 * A line of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in
 * front (OWASP, CSV injection); numbers are left alone.
 */
export const csvLine = (cells: readonly Cell[]) => `${cells.map(cellText).join(',')}\r\n`

function cellText(cell: Cell) {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  return csvText(cell)
}

/** `2026-11-21 14:05:00` in the clock of a zone; undefined for a zone that does not exist. */
export function timeIn(timeZone: string): ((at: number) => string) | undefined {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    return (at) => format.format(at)
  } catch {
    return undefined // the caller says which zone is wrong
  }
}
