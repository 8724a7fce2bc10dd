/** The parts of a spreadsheet file (ECMA-376) around its rows. */
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Numbers of the formats in `stylesXml`. */
export const style = { plain: 0, date: 1, heading: 2 } as const

/** Characters that XML does not allow, and halves of surrogate pairs. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
/** Longest text of a cell. */
const longestText = 32_767

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** A text as XML: characters that XML cannot hold are shown as replaced, never written. */
export function escaped(text: string) {
  const short = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text
  return short.replaceAll(forbidden, '\uFFFD').replaceAll(/[&<>"]/g, (one) => entities[one] ?? '')
}

/** `A`, `B`, … `Z`, `AA`: the name of a column, from 0. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26) - 1
  return `${rest >= 0 ? columnName(rest) : ''}${String.fromCodePoint(65 + (index % 26))}`
}

/** Beginning of a sheet before its rows: a fixed heading and the widths of the columns. */
export const sheetBegin = (widths: readonly number[]) =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
  widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('') +
  '</cols><sheetData>'
export const sheetEnd = '</sheetData></worksheet>'

export const stylesXml =
  `${declaration}<styleSheet xmlns="${main}">` +
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>'

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

export const workbookXml = (sheets: number) =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${numbers(sheets)
    .map((n) => `<sheet name="Values${n === 1 ? '' : ` ${n}`}" sheetId="${n}" r:id="rId${n}"/>`)
    .join('')}</sheets></workbook>`

export const workbookRelations = (sheets: number) =>
  relationships([
    ...numbers(sheets).map((n) => ['worksheet', `worksheets/sheet${n}.xml`] as const),
    ['styles', 'styles.xml'],
  ])

export const packageRelations = () => relationships([['officeDocument', 'xl/workbook.xml']])

const relationships = (all: readonly (readonly [string, string])[]) =>
  `${declaration}<Relationships xmlns="${packaged}/relationships">${all
    .map(
      ([type, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="${relations}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

export const contentTypes = (sheets: number) =>
  `${declaration}<Types xmlns="${packaged}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/>${numbers(sheets)
    .map(
      (n) =>
        `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${kind}.worksheet+xml"/>`,
    )
    .join('')}</Types>`
