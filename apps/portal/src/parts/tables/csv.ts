import { csvText } from '@longreach/kit/spreadsheet-text'
import { wallTime } from '@longreach/ui/time-range'

/** A cell of a CSV file: numbers with a dot and no grouping, texts quoted where needed. */
export type Cell = string | number | boolean | null | undefined

/**
 * A line of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in
 * front (OWASP, CSV injection); numbers are left alone.
 */
export const csvLine = (cells: readonly Cell[]) => `${cells.map(cellText).join(',')}\r\n`

function cellText(cell: Cell) {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  return csvText(cell)
}

/** ISO 8601 in the clock of `zone` with its offset: `2026-11-21T14:05:00.000+01:00`. */
export function isoInZone(at: number, zone: string) {
  const { year, month, day, hour, minute, second, ms } = wallTime(at, zone)
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  const time = `${two(hour)}:${two(minute)}:${two(second)}.${String(ms).padStart(3, '0')}`
  const offset = Math.round(
    (Date.UTC(year, month - 1, day, hour, minute, second, ms) - at) / 60_000,
  )
  const size = Math.abs(offset)
  const sign = offset < 0 ? '-' : '+'
  return `${date}T${time}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** Hands a file to the browser's downloads. */
export function saveFile(name: string, parts: BlobPart[], type = 'text/csv;charset=utf-8') {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
