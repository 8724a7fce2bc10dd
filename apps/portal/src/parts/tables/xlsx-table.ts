import { SheetFault } from './sheet-fault.ts'
import { type Book, sharedTexts, sheetRows } from './xlsx-cells.ts'
import { numberStyles } from './xlsx-styles.ts'
import { createXmlReader, XmlFault, type XmlListener } from './xml-reader.ts'
import { openArchive, readEntry, ZipFault } from './zip-archive.ts'

/** Most bytes of one part of a workbook, unpacked. */
const mostBytes = 64_000_000

/** The first sheet that is not hidden as a table of texts; a SheetFault says why it cannot be read. */
export function sheetTable(bytes: Uint8Array): string[][] {
  try {
    return readFirstSheet(openPackage(bytes))
  } catch (error) {
    if (error instanceof ZipFault) throw new SheetFault(error.reason)
    if (error instanceof XmlFault) throw new SheetFault('broken')
    throw error
  }
}

function readFirstSheet(parts: Package) {
  const main = pathByType(readRelations(parts, '_rels/.rels', ''), 'officeDocument')
  if (main === undefined || !parts.has(main)) throw new SheetFault('noWorkbook')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const relations = readRelations(parts, `${folder}_rels/${main.slice(folder.length)}.rels`, folder)
  const { sheet, first } = readWorkbook(parts, main)
  const path = relations.get(sheet)?.path
  if (path === undefined || !parts.has(path)) throw new SheetFault('noSheet')
  const book: Book = {
    texts: sharedTexts(readerOf(parts, pathByType(relations, 'sharedStrings'))),
    styles: numberStyles(readerOf(parts, pathByType(relations, 'styles'))),
    first,
  }
  return sheetRows(readerOf(parts, path), book)
}

type Package = ReturnType<typeof openPackage>

/** Parts of a workbook by their path, in which capitals do not count. */
function openPackage(bytes: Uint8Array) {
  const entries = openArchive(bytes)
  const byPath = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]))
  return {
    has: (path: string) => byPath.has(path.toLowerCase()),
    /** Reads a part as XML while it is unpacked; a part that is not there has no content. */
    read(path: string, listener: XmlListener) {
      const entry = byPath.get(path.toLowerCase())
      if (!entry) return
      const xml = createXmlReader(listener)
      readEntry(entry, mostBytes, xml.write)
      xml.end()
    },
  }
}

const readerOf = (parts: Package, path: string | undefined) => (listener: XmlListener) => {
  if (path !== undefined) parts.read(path, listener)
}

type Relation = { type: string; path: string }

const pathByType = (relations: ReadonlyMap<string, Relation>, type: string) =>
  [...relations.values()].find((one) => one.type === type)?.path

/** Relations of a part to others by their id; the type is the last word of its address. */
function readRelations(parts: Package, file: string, folder: string) {
  const relations = new Map<string, Relation>()
  parts.read(file, {
    open(name, attributes) {
      if (name !== 'Relationship') return
      const target = attributes.get('Target') ?? ''
      const type = attributes.get('Type')?.split('/').at(-1) ?? ''
      relations.set(attributes.get('Id') ?? '', { type, path: pathOf(target, folder) })
    },
  })
  return relations
}

function pathOf(target: string, folder: string) {
  const steps: string[] = []
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/** Relation of the first visible sheet, and the year in which the workbook's days begin. */
function readWorkbook(parts: Package, path: string) {
  let sheet = ''
  let first: 1900 | 1904 = 1900
  parts.read(path, {
    open(name, attributes) {
      const since1904 = attributes.get('date1904')
      if (name === 'workbookPr' && (since1904 === '1' || since1904 === 'true')) first = 1904
      if (name !== 'sheet' || sheet !== '') return
      if ((attributes.get('state') ?? 'visible') === 'visible') sheet = attributes.get('id') ?? ''
    },
  })
  return { sheet, first }
}
