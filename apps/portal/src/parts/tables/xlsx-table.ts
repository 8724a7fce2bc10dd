import { SheetFault } from './sheet-fault.ts'
import { type Book, sharedTexts, sheetRows } from './xlsx-cells.ts'
import { numberStyles } from './xlsx-styles.ts'
import { scanXml } from './xml-scan.ts'
import { entryText, zipEntries, ZipFault } from './zip-entries.ts'

/** Of one part of a workbook, unpacked. */
const mostBytes = 64_000_000

/** The first sheet that is not hidden as a table of texts; a SheetFault says why it cannot be read. */
export async function sheetTable(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  try {
    return await read(bytes)
  } catch (error) {
    if (error instanceof ZipFault) throw new SheetFault(error.reason)
    throw error
  }
}

async function read(bytes: Uint8Array<ArrayBuffer>) {
  const text = partsOf(bytes)
  const root = relations(await text('_rels/.rels'), '')
  const main = byType(root, 'officeDocument')
  const workbook = main === undefined ? '' : await text(main)
  if (main === undefined || workbook === '') throw new SheetFault('noWorkbook')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const near = relations(await text(`${folder}_rels/${main.slice(folder.length)}.rels`), folder)
  const { sheet, first } = firstSheet(workbook)
  const xml = await text(near.get(sheet)?.path)
  if (xml === '') throw new SheetFault('noSheet')
  const book: Book = {
    texts: sharedTexts(await text(byType(near, 'sharedStrings'))),
    styles: numberStyles(await text(byType(near, 'styles'))),
    first,
  }
  return sheetRows(xml, book)
}

/** The text of a part of the package by its path, in which capitals do not count; empty where there is none. */
function partsOf(bytes: Uint8Array<ArrayBuffer>) {
  const entries = zipEntries(bytes)
  const byPath = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]))
  return async (path: string | undefined) => {
    const entry = path === undefined ? undefined : byPath.get(path.toLowerCase())
    return entry ? await entryText(entry, mostBytes) : ''
  }
}

const byType = (found: ReadonlyMap<string, Relation>, type: string) =>
  [...found.values()].find((one) => one.type === type)?.path

type Relation = { type: string; path: string }

/** Relations of a part of the package to others, by id; the type is the last word of its address. */
function relations(xml: string, folder: string) {
  const found = new Map<string, Relation>()
  scanXml(xml, {
    open(name, attributes) {
      if (name !== 'Relationship') return
      const target = attributes.get('Target') ?? ''
      const type = attributes.get('Type')?.split('/').at(-1) ?? ''
      found.set(attributes.get('Id') ?? '', { type, path: pathOf(target, folder) })
    },
  })
  return found
}

function pathOf(target: string, folder: string) {
  const steps: string[] = []
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

function firstSheet(workbook: string) {
  let sheet = ''
  let first: 1900 | 1904 = 1900
  scanXml(workbook, {
    open(name, attributes) {
      const since1904 = attributes.get('date1904')
      if (name === 'workbookPr' && (since1904 === '1' || since1904 === 'true')) first = 1904
      if (name !== 'sheet' || sheet !== '') return
      if ((attributes.get('state') ?? 'visible') === 'visible') sheet = attributes.get('id') ?? ''
    },
  })
  return { sheet, first }
}
