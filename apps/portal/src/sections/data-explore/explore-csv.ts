import { isoText } from '@longreach/calendar/iso-time'
import { clipboardLine, type CsvCell, csvLine } from '@longreach/kit/csv'

type Row = readonly (number | null | undefined)[]
/** Format of cells for other programs: times in `zone`, states by their words. */
type Plain = {
  zone: string
  text: (cell: number, column: number, row: Row) => string | number
}

const cellsOf = (row: Row, { zone, text }: Plain): CsvCell[] =>
  row.map((cell, column) => {
    if (cell === null || cell === undefined) return undefined
    return column === 0 ? isoText(zone)(cell) : text(cell, column, row)
  })

/** A table as CSV: ISO times with the zone's offset in the first column, empty where nothing is. */
export const rowsCsv = (heads: readonly string[], rows: readonly Row[], plain: Plain) =>
  [csvLine(heads), ...rows.map((row) => csvLine(cellsOf(row, plain)))].join('')

/** The same for a spreadsheet's clipboard, with tabs between the cells. */
export const rowsText = (heads: readonly string[], rows: readonly Row[], plain: Plain) =>
  [heads, ...rows.map((row) => cellsOf(row, plain))].map(clipboardLine).join('\n')
