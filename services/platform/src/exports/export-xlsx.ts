import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ExportQuestion } from './export-contract.ts'
import type { Page } from './export-rows.ts'
import { dateSerial, timesOf, timeText } from './export-times.ts'
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
export const mostSheetRows = 1_048_576
/** Quick, and already a tenth of the text. */
const compressionLevel = 1
/** Dates of spreadsheets begin in March 1900. */
const firstDate = -2_203_891_200_000

/** Rows as an XLSX file, in pieces as the rows come; what does not fit one sheet stands in further ones. */
export async function* xlsxOf(
  header: readonly string[],
  pages: AsyncIterable<Page>,
  wanted: Wanted,
  most = mostSheetRows,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const rows = pages[Symbol.asyncIterator]()
  const write = rowWriter(header, wanted)
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

const text = (place: string, xml: string, of: number = style.plain) =>
  `<c r="${place}" t="inlineStr"${of === style.plain ? '' : ` s="${of}"`}><is><t xml:space="preserve">${xml}</t></is></c>`

const headingRow = (header: readonly string[]) =>
  `<row r="1">${header.map((name, at) => text(`${columnName(at)}1`, escaped(name), style.heading)).join('')}</row>`

const widthsOf = (header: readonly string[]) =>
  header.map((name, at) => (at === 0 ? 24 : Math.min(60, Math.max(14, name.length + 2))))

/** Writes one row; texts are inline, so that none is taken for a formula. */
function rowWriter(header: readonly string[], wanted: Wanted) {
  const names = header.map((_, at) => columnName(at))
  const time = timeWriter(wanted)
  const asXml = rememberedXml()
  return ([t, ...values]: unknown[], row: number) => {
    let xml = `<row r="${row}">${time(`A${row}`, Number(t))}`
    for (const [at, value] of values.entries()) {
      if (value !== null && value !== undefined) xml += cell(`${names[at + 1]}${row}`, value, asXml)
    }
    return `${xml}</row>`
  }
}

const mostKnown = 10_000
const longestKnown = 200

/** Texts as XML; names of devices and paths come again in every row. */
function rememberedXml() {
  const known = new Map<string, string>()
  return (value: string) => {
    const seen = known.get(value)
    if (seen !== undefined) return seen
    const fresh = escaped(value)
    if (value.length < longestKnown && known.size < mostKnown) known.set(value, fresh)
    return fresh
  }
}

function cell(place: string, value: unknown, asXml: (text: string) => string) {
  if (typeof value === 'number' && Number.isFinite(value))
    return `<c r="${place}"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`
  return text(place, asXml(typeof value === 'object' ? JSON.stringify(value) : String(value)))
}

function timeWriter(wanted: Wanted) {
  const times = timesOf(wanted)
  if (times === 'unix') return (place: string, t: number) => `<c r="${place}"><v>${t}</v></c>`
  const written = timeText(wanted)
  if (times === 'iso8601') return (place: string, t: number) => text(place, written(t))
  const serial = dateSerial(wanted.timezone)
  return (place: string, t: number) =>
    t < firstDate
      ? text(place, written(t))
      : `<c r="${place}" s="${style.date}"><v>${serial(t)}</v></c>`
}
