import { SheetFault } from './sheet-fault.ts'
import { numberText, type NumberStyle } from './xlsx-styles.ts'
import type { XmlListener } from './xml-reader.ts'

/** Reading of one part of a workbook. */
type ReadPart = (listener: XmlListener) => void

export type Book = {
  texts: readonly string[]
  styles: readonly NumberStyle[]
  first: 1900 | 1904
}

/** Texts that cells refer to by their index, without the pronunciation of their signs. */
export function sharedTexts(readPart: ReadPart): string[] {
  const texts: string[] = []
  let [now, inText, aloud] = ['', false, false]
  readPart({
    open(name) {
      if (name === 'si') now = ''
      else if (name === 'rPh') aloud = true
      else if (name === 't') inText = !aloud
    },
    close(name) {
      if (name === 'si') texts.push(plainText(now))
      else if (name === 'rPh') aloud = false
      else if (name === 't') inText = false
    },
    text(text) {
      if (inText) now += text
    },
  })
  return texts
}

/** Signs that XML cannot hold are written as `_x000D_`. */
const plainText = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

const mostRows = 200_000
const mostColumns = 1_000
/** Most cells, empty ones before others among them; each is a sign of the CSV at least. */
const mostCells = 8_000_000

type Cell = { place: string; type: string; style: number; value: string; formula: boolean }

/** The rows of a sheet as texts; rows and cells that it leaves out are empty ones. */
export function sheetRows(readPart: ReadPart, book: Book): string[][] {
  const rows: string[][] = []
  const put = cellWriter(rows)
  let [row, column] = [0, 0]
  let cell: Cell | undefined
  let reading: 'value' | 'formula' | undefined
  readPart({
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes.get('r') ?? row + 1)
        column = 0
      } else if (name === 'c') {
        const place = attributes.get('r') ?? `${columnName(column + 1)}${row}`
        column = columnOf(place)
        cell = {
          place,
          type: attributes.get('t') ?? 'n',
          style: Number(attributes.get('s') ?? 0),
          value: '',
          formula: false,
        }
      } else if (name === 'v' || name === 't') reading = 'value'
      else if (name === 'f' && cell) cell.formula = true
    },
    close(name) {
      if (name === 'c' && cell) {
        const text = cellText(cell, book)
        if (text !== '') put({ row, column, text, place: cell.place })
        cell = undefined
      } else if (name === 'v' || name === 't') reading = undefined
    },
    text(text) {
      if (cell && reading === 'value') cell.value += text
    },
  })
  return rows
}

type Placed = { row: number; column: number; text: string; place: string }

/** Writer of cells into rows, up to a number of rows, columns and cells. */
function cellWriter(rows: string[][]) {
  let cells = 0
  return ({ row, column, text, place }: Placed) => {
    if (!(row >= 1 && row <= mostRows && column >= 1 && column <= mostColumns)) {
      throw new SheetFault('tooLarge', place)
    }
    while (rows.length < row) rows.push([])
    const line = rows[row - 1] ?? []
    cells += Math.max(0, column - line.length)
    if (cells > mostCells) throw new SheetFault('tooLarge', place)
    while (line.length < column - 1) line.push('')
    line[column - 1] = text
  }
}

function cellText({ type, value, place, style, formula }: Cell, book: Book): string {
  if (type === 'e') throw new SheetFault('errorCell', place, value)
  // Written by a program that did not compute it.
  if (formula && value === '' && type !== 'str') throw new SheetFault('noResult', place)
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type !== 's' && type !== 'n') return saidText(plainText(value))
  const text = type === 's' ? book.texts[Number(value)] : numberIn(value, style, book)
  if (text === undefined) throw new SheetFault('brokenCell', place, value)
  return type === 's' ? saidText(text) : text
}

/** A text that looks like a number, or yes or no, says that it is a text, as one types it into a sheet. */
const saidText = (text: string) =>
  /^(\d[\d.]*|true|false)$/.test(text) ? `'${text}` : /^-\d[\d.]*$/.test(text) ? `''${text}` : text

function numberIn(value: string, style: number, { styles, first }: Book) {
  if (value.trim() === '') return ''
  const number = Number(value)
  return Number.isFinite(number) ? numberText(number, styles[style] ?? 'plain', first) : undefined
}

/** 1 for A, 27 for AA; 0 for a place that is none. */
function columnOf(place: string) {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(place)?.[1] ?? ''
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

const columnName = (column: number): string =>
  column <= 0
    ? ''
    : columnName(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))
