import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ExportQuestion } from './export-contract.ts'
import type { Page } from './export-rows.ts'
import { dateSerial, timeFormatOf, timeText } from './export-times.ts'
import {
  columnName,
  contentTypes,
  escaped,
  packageRelations,
  sheetBegin,
  sheetEnd,
  style,
  stylesXml,
  workbookRelations,
  workbookXml,
} from './sheet-xml.ts'

type Wanted = Pick<ExportQuestion, 'format' | 'timestampFormat' | 'timezone'>

/** Rows of one sheet, the heading among them, as the format allows. */
const mostSheetRows = 1_048_576
/** Quick, and already a tenth of the text. */
const compressionLevel = 1
/** Dates of spreadsheets begin in March 1900. */
const firstDate = -2_203_891_200_000

/** Rows as an XLSX file, in pieces as the rows come; rows that do not fit one sheet are in further ones. */
export async function* xlsxOf(
  header: readonly string[],
  pages: AsyncIterable<Page>,
  wanted: Wanted,
  most = mostSheetRows,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const rows = pages[Symbol.asyncIterator]()
  const write = createRowWriter(header, wanted)
  let open: Readable | undefined
  let left: unknown[][] = []
  let done = false

  async function* sheet(number: number): AsyncGenerator<string> {
    yield sheetBegin(widthsOf(header)) + headingRow(header)
    let at = 1
    while (at < most) {
      while (left.length === 0 && !done) {
        const next = await rows.next()
        done = next.done === true
        left = next.done === true ? [] : next.value.rows
      }
      if (left.length === 0) break
      const some = left.slice(0, most - at)
      left = left.slice(some.length)
      let text = ''
      for (const row of some) text += write(row, (at += 1))
      yield text
    }
    yield sheetEnd
    // The next row decides whether there is another sheet.
    while (left.length === 0 && !done) {
      const next = await rows.next()
      done = next.done === true
      left = next.done === true ? [] : next.value.rows
    }
    if (left.length > 0) add(number + 1)
    else finish(number)
  }
  const add = (number: number) =>
    zip.addReadStreamLazy(
      `xl/worksheets/sheet${number}.xml`,
      { compressionLevel },
      (taken: (error: unknown, stream: Readable) => void) => {
        open = Readable.from(sheet(number), { objectMode: false })
        open.on('error', (error) => output.destroy(error))
        taken(null, open)
      },
    )
  const finish = (sheets: number) => {
    zip.addBuffer(Buffer.from(stylesXml), 'xl/styles.xml')
    zip.addBuffer(Buffer.from(workbookXml(sheets)), 'xl/workbook.xml')
    zip.addBuffer(Buffer.from(workbookRelations(sheets)), 'xl/_rels/workbook.xml.rels')
    zip.addBuffer(Buffer.from(packageRelations()), '_rels/.rels')
    zip.addBuffer(Buffer.from(contentTypes(sheets)), '[Content_Types].xml')
    zip.end()
  }
  zip.on('error', (error: Error) => output.destroy(error))
  add(1)
  try {
    for await (const chunk of output) yield chunk as Buffer
  } finally {
    open?.destroy()
    await rows.return?.()
  }
}

/** A cell of text behind its place; texts are inline, so that none is taken for a formula. */
const textEnd = (xml: string, of: number = style.plain) =>
  `" t="inlineStr"${of === style.plain ? '' : ` s="${of}"`}><is><t${spaced.test(xml) ? ' xml:space="preserve"' : ''}>${xml}</t></is></c>`
/** Readers take blanks at the ends away, and some those that follow others. */
const spaced = /^\s|\s$|\s\s|[\t\n\r]/

const headingRow = (header: readonly string[]) =>
  `<row r="1">${header.map((name, at) => `<c r="${columnName(at)}1${textEnd(escaped(name), style.heading)}`).join('')}</row>`

const widthsOf = (header: readonly string[]) =>
  header.map((name, at) => (at === 0 ? 24 : Math.min(60, Math.max(14, name.length + 2))))

/** Writes one row. */
function createRowWriter(header: readonly string[], wanted: Wanted) {
  const begins = header.map((_, at) => `<c r="${columnName(at)}`)
  const time = createTimeCellWriter(wanted)
  const textCell = createTextCells()
  return (cells: unknown[], row: number) => {
    let xml = `<row r="${row}"><c r="A${row}${time(Number(cells[0]))}`
    for (let at = 1; at < cells.length; at += 1) {
      const value = cells[at]
      if (value === null || value === undefined) continue
      xml += `${begins[at]}${row}${cellEnd(value, textCell)}`
    }
    return `${xml}</row>`
  }
}

const mostKnown = 10_000
const longestKnown = 200

/** Cells of texts; names of devices and paths come again in every row. */
function createTextCells() {
  const known = new Map<string, string>()
  return (value: string) => {
    const seen = known.get(value)
    if (seen !== undefined) return seen
    const fresh = textEnd(escaped(value))
    if (value.length < longestKnown && known.size < mostKnown) known.set(value, fresh)
    return fresh
  }
}

function cellEnd(value: unknown, textCell: (text: string) => string) {
  if (typeof value === 'string') return textCell(value)
  if (typeof value === 'number' && Number.isFinite(value)) return `"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `" t="b"><v>${Number(value)}</v></c>`
  return textCell(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

function createTimeCellWriter(wanted: Wanted) {
  const times = timeFormatOf(wanted)
  if (times === 'unix') return (t: number) => `"><v>${t}</v></c>`
  const written = timeText(wanted)
  if (times === 'iso8601') return (t: number) => textEnd(written(t))
  const serial = dateSerial(wanted.timezone)
  return (t: number) =>
    t < firstDate ? textEnd(written(t)) : `" s="${style.date}"><v>${serial(t)}</v></c>`
}
