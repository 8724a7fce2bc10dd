import { quoteCell } from '@longreach/kit/csv'
import { SheetFault } from './sheet-fault.ts'

/** Character encodings of a text file. */
export const encodings = ['auto', 'utf-8', 'windows-1252', 'utf-16le'] as const
export type Encoding = (typeof encodings)[number]
/** A table as CSV; a workbook says itself how it is written. */
export type TableFile = { csv: string; workbook: boolean }

/** File types for a file picker of tables. */
export const tableFiles =
  '.csv,.txt,.tsv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const mostBytes = 8_000_000

/** A table from a file of text or the first sheet of a workbook; a SheetFault says why not. */
export async function readTableFile(file: Blob, letters: Encoding = 'auto'): Promise<TableFile> {
  if (file.size > mostBytes) throw new SheetFault('tooLarge')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const begins = (...marks: number[]) => marks.every((mark, at) => bytes[at] === mark)
  // Workbooks of before 2007, and those with a password, are in another container.
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) throw new SheetFault('locked')
  // Every workbook is a zip archive.
  const workbook = begins(0x50, 0x4b, 0x03, 0x04)
  const csv = workbook ? await workbookAsCsv(bytes) : textOf(bytes, letters)
  if (csv.length > mostBytes) throw new SheetFault('tooLarge')
  return { csv, workbook }
}

/** Row by row, so that lines count as rows do. */
async function workbookAsCsv(bytes: Uint8Array<ArrayBuffer>) {
  const { sheetTable } = await import('./xlsx-table.ts')
  const rows = sheetTable(bytes)
  return rows
    .map((row) => `${row.map((cell) => quoteCell(cell, separators)).join(',')}\r\n`)
    .join('')
}

/** Whatever may be a separator stands in quotes, so that the comma is the one that is found. */
const separators = /[",;|\t\r\n]/

/** `auto` is UTF-8 or UTF-16 by its mark, else what spreadsheets of the West write. */
function textOf(bytes: Uint8Array, letters: Encoding) {
  if (letters !== 'auto') return new TextDecoder(letters).decode(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes) // not UTF-8
  }
}
