import type { Turn } from './on-call-rules.ts'

type CalendarOf = {
  id: string
  name: string
  turns: readonly Turn[]
  changedAt: number
  /** Words for a turn without a person. */
  nobody: string
}

const longestLine = 75

/** Text with the characters escaped that have a meaning in a calendar (RFC 5545, 3.3.11). */
const escaped = (text: string) =>
  text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|\r|\n/g, '\\n')
    // oxlint-disable-next-line no-control-regex -- a calendar has no control characters
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

/** Time in UTC: `20260105T080000Z`. */
const utcText = (ms: number) => new Date(ms).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')

/** Line in pieces of at most 75 bytes, each further one after a space (RFC 5545, 3.1). */
function folded(line: string) {
  const pieces: string[] = []
  let piece = ''
  for (const character of line) {
    const most = pieces.length === 0 ? longestLine : longestLine - 1
    if (Buffer.byteLength(piece + character) > most) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece].join('\r\n ')
}

/** Calendar of the turns of a schedule, with its gaps, as iCalendar (RFC 5545). */
export function toCalendar({ id, name, turns, changedAt, nobody }: CalendarOf) {
  const events = turns.flatMap(({ person, from, to }) => [
    'BEGIN:VEVENT',
    `UID:${id}-${from}@longreach`,
    `DTSTAMP:${utcText(changedAt)}`,
    `DTSTART:${utcText(from)}`,
    `DTEND:${utcText(to)}`,
    `SUMMARY:${escaped(`${person ?? nobody} – ${name}`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Longreach//On call//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}
