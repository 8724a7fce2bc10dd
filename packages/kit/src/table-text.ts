import { CsvError, parse } from 'csv-parse/sync'
import { unguardFormula } from './csv.ts'
import { inWorker } from './worker-pool.ts'

/**
 * A line of a table, with the place in the text where it begins, counted from 1. `texts` are the places
 * of cells that say of themselves that they are texts, although they look like a number or yes or no.
 */
export type TableRow = { line: number; cells: string[]; texts?: number[] }
export type Table = { separator: string; headers: string[]; rows: TableRow[] }

/** Most of what a table may have: far more than a person reads, and soon read by a program. */
export const tableLimits = { columns: 200, rows: 5_000, cells: 300_000, cell: 5_000 }

/** Below this many characters a table is read before another thread would have begun. */
const short = 20_000

/** Read a table, a large one in another thread. */
export const readTableBeside = async (csv: string, said?: string): Promise<Table | string> =>
  csv.length < short ? readTable(csv, said) : inWorker(readingTable, csv, said)

const readingTable = { module: new URL(import.meta.url), name: 'readTable' }

/** Read a table with a line of headers, as spreadsheets save it; a text says why it cannot be read. */
export function readTable(csv: string, said?: string): Table | string {
  const text = csv.replace(/^\uFEFF/, '')
  const separator = said ?? separatorOf(text)
  const limit = limitReached()
  try {
    const records = parse(text, {
      delimiter: separator,
      info: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      skipRecordsWithEmptyValues: true,
      trim: true,
      // A field longer than a line of full cells ends the reading at once.
      maxRecordSize: tableLimits.columns * tableLimits.cell,
      onRecord: (one) => {
        limit.count((one as unknown as Read).record)
        return one
      },
    }) as unknown as Read[] // what `info` makes of a record
    const [first, ...rest] = records
    if (!first) return 'The table is empty'
    const headers = first.record.map((header) => saidText(header) ?? header)
    const twice = firstTwice(headers.filter((one) => one !== ''))
    if (twice !== undefined) return `Two columns are called "${twice}"; give one another name`
    const lineOf = firstLines(first)
    const rows = rest.map((one) => rowOf(one, lineOf(one)))
    return { separator, headers, rows }
  } catch (error) {
    if (error instanceof CsvError || error instanceof TooLarge) return error.message
    throw error
  }
}

function rowOf({ record }: Read, line: number): TableRow {
  const texts = record.flatMap((cell, place) => (saidText(cell) === undefined ? [] : [place]))
  return {
    line,
    cells: record.map((cell) => saidText(cell) ?? unguardFormula(cell)),
    ...(texts.length > 0 && { texts }),
  }
}

/**
 * Line numbers at which records begin, asked for in their order: the reader tells the line at which a
 * record ends, and counts a line break of two characters inside a cell twice.
 */
function firstLines(headers: Read) {
  let twice = countIn(headers, /\r\n/g)
  return (one: Read) => {
    twice += countIn(one, /\r\n/g)
    return one.info.lines - twice - countIn(one, /\r\n|\r|\n/g)
  }
}

const countIn = ({ record }: Read, sign: RegExp) =>
  record.reduce((sum, cell) => sum + (cell.match(sign)?.length ?? 0), 0)

/**
 * `'4.10`, as it is typed into a spreadsheet, is the text 4.10. Two apostrophes say the same of a
 * negative number, which has one in exported sheets.
 */
const saidText = (cell: string) => /^''?((?:(?<='')-)?\d[\d.]*|true|false)$/.exec(cell)?.[1]

type Read = { record: string[]; info: { lines: number } }

class TooLarge extends Error {}

/** Counts what is read, and stops the reading at a limit. */
function limitReached() {
  const { columns, rows, cells, cell } = tableLimits
  let lines = 0
  let all = 0
  return {
    count(record: readonly string[]) {
      lines += 1
      all += record.length
      if (record.length > columns) throw new TooLarge(`A table has at most ${columns} columns`)
      if (lines > rows + 1) {
        throw new TooLarge(`A table has at most ${rows} lines; cut it into several`)
      }
      if (all > cells) throw new TooLarge(`A table has at most ${cells} cells; cut it into several`)
      if (record.some(({ length }) => length > cell)) {
        throw new TooLarge(`A cell has at most ${cell} characters`)
      }
    },
  }
}

/** The first text that stands in a list a second time. */
export function firstTwice(texts: Iterable<string>) {
  const seen = new Set<string>()
  for (const text of texts) {
    if (seen.has(text)) return text
    seen.add(text)
  }
  return undefined
}

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
