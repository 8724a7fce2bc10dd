import { clockText, isoText } from '@longreach/calendar/iso-time'
import { dayMs } from '@longreach/calendar/units'
import { offsetsOf } from '@longreach/calendar/zone-offset'
import type { ExportQuestion } from './export-contract.ts'

type Wanted = Pick<ExportQuestion, 'format' | 'timestampFormat' | 'timezone'>

/** Format of times: the requested one, else dates in a spreadsheet and ISO 8601 in text. */
export const timeFormatOf = ({ format, timestampFormat }: Wanted) =>
  timestampFormat ?? (format === 'xlsx' ? 'local' : 'iso8601')

/** Times as text: ms, ISO 8601 with its offset, or the zone's clock. */
export function timeText(wanted: Wanted): (t: number) => string {
  const times = timeFormatOf(wanted)
  if (times === 'unix') return String
  if (times === 'iso8601') return isoText(wanted.timezone)
  const clock = clockText(wanted.timezone)
  return (t) => clock(t).replace('T', ' ')
}

/** Spreadsheets count days from the end of 1899. */
const daysBefore1970 = 25_569

/** A time as a spreadsheet's date: days of the zone's clock. */
export function dateSerial(timezone: string): (t: number) => number {
  const offsetAt = offsetsOf(timezone)
  return (t) => (t + offsetAt(t) * 60_000) / dayMs + daysBefore1970
}

/** The heading of times; a clock without its offset names its zone. */
export const timeHeading = (word: string, wanted: Wanted) => {
  const times = timeFormatOf(wanted)
  if (times === 'local') return `${word} (${wanted.timezone})`
  return times === 'unix' ? `${word} (ms)` : word
}
