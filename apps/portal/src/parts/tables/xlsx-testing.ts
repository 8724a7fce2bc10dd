/** A zip archive of these texts as a spreadsheet program writes it: packed, with a directory at its end. */
export async function zipOf(files: Readonly<Record<string, string>>) {
  const locals: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const bytes = new TextEncoder().encode(text)
    const packed = await deflated(bytes)
    const title = new TextEncoder().encode(name)
    const facts = numbers([8, 2], [0, 2], [0, 2], [0, 4], [packed.length, 4], [bytes.length, 4])
    const named = numbers([title.length, 2], [0, 2])
    const local = joined(numbers([0x04_03_4b_50, 4], [20, 2], [0, 2]), facts, named, title, packed)
    const place = numbers([0, 2], [0, 2], [0, 2], [0, 4], [at, 4])
    const version = numbers([0x02_01_4b_50, 4], [20, 2], [20, 2], [0, 2])
    directory.push(joined(version, facts, named, place, title))
    locals.push(local)
    at += local.length
  }
  const count = directory.length
  const size = directory.reduce((sum, one) => sum + one.length, 0)
  const counts = numbers([0, 4], [count, 2], [count, 2], [size, 4], [at, 4], [0, 2])
  return joined(...locals, ...directory, numbers([0x06_05_4b_50, 4]), counts)
}

async function deflated(bytes: Uint8Array<ArrayBuffer>) {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

const numbers = (...fields: [value: number, length: 2 | 4][]) =>
  joined(
    ...fields.map(([value, length]) => {
      const bytes = new Uint8Array(length)
      const view = new DataView(bytes.buffer)
      if (length === 2) view.setUint16(0, value, true)
      else view.setUint32(0, value, true)
      return bytes
    }),
  )

function joined(...parts: Uint8Array<ArrayBuffer>[]) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
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
