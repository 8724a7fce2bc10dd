import { strToU8, zipSync } from 'fflate'

/** A zip archive of these texts as a spreadsheet program writes it: packed, with a directory at its end. */
export function zipOf(files: Readonly<Record<string, string>>) {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const)
  return zipSync(Object.fromEntries(entries), { level: 1 })
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const near = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships'
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${near}/${type}" Target="${target}"/>`

/** The parts of a workbook as Excel writes them: a hidden sheet first, then one with these rows. */
export const bookOf = (rows: string, more: Readonly<Record<string, string>> = {}) => ({
  '[Content_Types].xml': `${head}<Types/>`,
  '_rels/.rels': `${head}<Relationships xmlns="${packages}">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
  'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${near}"><workbookPr defaultThemeVersion="166925"/><sheets><sheet name="Lists" sheetId="2" state="hidden" r:id="rId2"/><sheet name="Machines" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packages}">${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'worksheet', '/xl/worksheets/sheet2.xml')}${relation('rId3', 'sharedStrings', 'sharedStrings.xml')}${relation('rId4', 'styles', 'styles.xml')}</Relationships>`,
  'xl/sharedStrings.xml': `${head}<sst xmlns="${main}" count="6" uniqueCount="6"><si><t>Name</t></si><si><t>Serial number</t></si><si><r><rPr><b/></rPr><t xml:space="preserve">Oven </t></r><r><t>No. 7</t></r></si><si><t xml:space="preserve">two
lines &amp; "more"</t></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>a_x000D_b</t></si></sst>`,
  'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="[$-407]dd/\\ mmm\\ yyyy\\ hh:mm;@"/><numFmt numFmtId="166" formatCode="#,##0.00\\ &quot;days&quot;"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
  'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><dimension ref="A1:C9"/><sheetData>${rows}</sheetData><pageMargins left="0.7"/></worksheet>`,
  'xl/worksheets/sheet2.xml': `${head}<worksheet xmlns="${main}"><sheetData/></worksheet>`,
  ...more,
})
