import { CsvError, parse } from 'csv-parse/sync'

/** A line of a table, with its place in the text, counted from 1. */
export type TableRow = { line: number; cells: string[] }
export type Table = { separator: string; headers: string[]; rows: TableRow[] }

/** Read a table with a line of headers, as spreadsheets save it; a text says why it cannot be read. */
export function readTable(csv: string, said?: string): Table | string {
  const text = csv.replace(/^\uFEFF/, '')
  const separator = said ?? separatorOf(text)
  try {
    const records = parse(text, {
      delimiter: separator,
      info: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      skipRecordsWithEmptyValues: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[] // what `info` makes of a record
    const [first, ...rest] = records
    if (!first) return 'The table is empty'
    const headers = first.record
    const twice = headers.find((one, place) => one !== '' && headers.indexOf(one) !== place)
    if (twice !== undefined) return `Two columns are called "${twice}"; give one another name`
    const rows = rest.map(({ record, info }) => ({
      line: info.lines,
      cells: record.map(withoutGuard),
    }))
    return { separator, headers, rows }
  } catch (error) {
    if (error instanceof CsvError) return error.message
    throw error
  }
}

/** Exported sheets put an apostrophe before what a spreadsheet would take for a formula. */
const withoutGuard = (cell: string) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

const separators = [',', ';', '\t', '|'] as const

/** The separator that the first line has most of, outside of quotes. */
export function separatorOf(text: string) {
  const line = /^[^\r\n]*/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? ''
  const count = (separator: string) => line.split(separator).length
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best), ',')
}

/** A header without case, accents and anything but letters, to compare it by. */
export const plainHeader = (header: string) =>
  header
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
