import { offsetsOf } from '../queries/query-zone.ts'
import type { ExportQuestion } from './export-contract.ts'

type Wanted = Pick<ExportQuestion, 'format' | 'timestampFormat' | 'timezone'>

/** How times are written: as asked, else dates in a spreadsheet and ISO 8601 in text. */
export const timesOf = ({ format, timestampFormat }: Wanted) =>
  timestampFormat ?? (format === 'xlsx' ? 'local' : 'iso8601')

const two = (value: number) => String(value).padStart(2, '0')

/** Writes times as text: ms, ISO 8601 with its offset, or the zone's clock. */
export function timeText(wanted: Wanted): (t: number) => string {
  const times = timesOf(wanted)
  if (times === 'unix') return String
  const offsetAt = offsetsOf(wanted.timezone)
  const clock = (t: number, offset: number) => new Date(t + offset * 60_000).toISOString()
  if (times === 'local') {
    return (t) => clock(t, offsetAt(t)).replace('T', ' ').slice(0, -1)
  }
  if (wanted.timezone === 'UTC') return (t) => new Date(t).toISOString()
  return (t) => {
    const offset = offsetAt(t)
    const minutes = Math.abs(offset)
    const sign = offset < 0 ? '-' : '+'
    return clock(t, offset).replace(
      'Z',
      `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`,
    )
  }
}

const dayMs = 86_400_000
/** Spreadsheets count days from the end of 1899. */
const daysBefore1970 = 25_569

/** A time as a spreadsheet's date: days of the zone's clock. */
export function dateSerial(timezone: string): (t: number) => number {
  const offsetAt = offsetsOf(timezone)
  return (t) => (t + offsetAt(t) * 60_000) / dayMs + daysBefore1970
}

/** The heading of times; a clock without its offset names its zone. */
export const timeHeading = (word: string, wanted: Wanted) => {
  const times = timesOf(wanted)
  if (times === 'local') return `${word} (${wanted.timezone})`
  return times === 'unix' ? `${word} (ms)` : word
}
