import type { XmlListener } from './xml-reader.ts'

/** Meaning of a cell's number: plain, a time, or with a count of decimal digits. */
export type NumberStyle = 'plain' | 'time' | { digits: number }

/** Formats that every workbook has: days, times, and those of East Asia. */
const builtInTimes: readonly [number, number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

/** Styles of numbers by the index of their cell style. */
export function numberStyles(readPart: (listener: XmlListener) => void): NumberStyle[] {
  const formats = new Map<number, string>()
  const styles: NumberStyle[] = []
  let inCells = false
  readPart({
    open(name, attributes) {
      if (name === 'numFmt') {
        formats.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '')
      } else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) {
        const id = Number(attributes.get('numFmtId') ?? 0)
        styles.push(styleOf(id, formats.get(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

function styleOf(id: number, format: string | undefined): NumberStyle {
  if (format === undefined) {
    return builtInTimes.some(([from, to]) => id >= from && id <= to) ? 'time' : 'plain'
  }
  // Colours, currencies and texts stand in brackets and quotes; letters behind \ are meant as they are.
  const bare = format.replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]|"[^"]*"|\\.|_.|\*./gi, '')
  if (/^0{2,15}$/.test(bare)) return { digits: bare.length }
  return /[dmyhs]/i.test(bare.split(';')[0] ?? '') && !/general/i.test(bare) ? 'time' : 'plain'
}

const dayMs = 86_400_000
/** Days from the workbook's first day to 1970. */
const epochOf = { 1900: 25_569, 1904: 24_107 }

/** The number of a cell as its text; times in ISO 8601 without a zone, as the sheet has none. */
export function numberText(value: number, style: NumberStyle, first: 1900 | 1904) {
  if (style === 'plain') return String(value)
  if (typeof style === 'object') return String(value).padStart(style.digits, '0')
  // There is a 29 February 1900 in sheets: days before it are one off.
  const days = first === 1900 && value >= 1 && value < 60 ? value + 1 : value
  const date = new Date(Math.round((days - epochOf[first]) * dayMs))
  if (Number.isNaN(date.getTime())) return String(value)
  const iso = date.toISOString()
  const clock = iso.slice(11, 23).replace(/\.000$/, '')
  if (value >= 0 && value < 1) return clock
  return Number.isInteger(value) ? iso.slice(0, 10) : `${iso.slice(0, 10)}T${clock}`
}
