import { Readable } from 'node:stream'
import { Reply } from '@longreach/kit/reply'
import type { Point } from '@longreach/telemetry/store'
import type { TagQuestion } from './tag-contract.ts'
import type { Answered } from './tag-reading.ts'

type Wanted = Pick<TagQuestion, 'format' | 'timestampFormat' | 'timezone'>

/** Answer in the format that was asked for, as it is read: a month of values never lies in memory. */
export function replyWithTags(answers: readonly Answered[], wanted: Wanted, signal: AbortSignal) {
  const isCsv = wanted.format === 'csv'
  const time = timeWriter(wanted)
  const chunks = isCsv ? csv(answers, time) : json(answers, wanted.format, time)
  return new Reply(
    200,
    isCsv
      ? {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="tags.csv"',
        }
      : { 'content-type': 'application/json; charset=utf-8' },
    Readable.from(chunks, { objectMode: false, signal }),
  )
}

type TimeWriter = (t: number) => number | string

/** ms, or ISO 8601 in UTC or a zone. CSV is for people and spreadsheets: ISO unless told otherwise. */
function timeWriter({ format, timestampFormat, timezone }: Wanted): TimeWriter {
  const iso = (timestampFormat ?? (format === 'csv' ? 'iso8601' : 'unix')) === 'iso8601'
  if (!iso) return (t) => t
  if (timezone === undefined || timezone === 'UTC') return (t) => new Date(t).toISOString()
  const offsetAt = offsets(timezone)
  return (t) => {
    const offset = offsetAt(t)
    const sign = offset < 0 ? '-' : '+'
    const minutes = Math.abs(offset)
    const two = (value: number) => String(value).padStart(2, '0')
    const zone = `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
    return new Date(t + offset * 60_000).toISOString().replace('Z', zone)
  }
}

export const isTimezone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format()
    return true
  } catch {
    return false // Intl throws for a name it does not know
  }
}

/** Minutes east of UTC at a time; looked up once for each quarter of an hour, as zones change on those. */
function offsets(timeZone: string) {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  let quarter = NaN
  let offset = 0
  return (t: number) => {
    const at = Math.floor(t / 900_000)
    if (at !== quarter) {
      quarter = at
      const name = format.formatToParts(t).find(({ type }) => type === 'timeZoneName')?.value ?? ''
      const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
      offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
    }
    return offset
  }
}

async function* json(answers: readonly Answered[], format: Wanted['format'], time: TimeWriter) {
  const legacy = format === 'legacy'
  const row = legacy
    ? ({ t, v }: Point) => JSON.stringify({ timestamp: time(t), value: v })
    : ({ t, v }: Point) => JSON.stringify([time(t), v])
  yield '['
  for (const [index, { deviceId, modelPath, tagName, type, pages }] of answers.entries()) {
    const facts = legacy
      ? { deviceId, modelPath, tagName }
      : { deviceId, modelPath, tagName, types: ['datetime', type], header: ['timestamp', 'value'] }
    yield `${index > 0 ? ',' : ''}${JSON.stringify(facts).slice(0, -1)},"data":[`
    let comma = ''
    for await (const page of pages()) {
      if (page.length === 0) continue
      yield comma + page.map(row).join(',')
      comma = ','
    }
    yield ']}'
  }
  yield ']'
}

async function* csv(answers: readonly Answered[], time: TimeWriter) {
  yield 'timestamp,deviceId,modelPath,value\r\n'
  for (const { deviceId, modelPath, pages } of answers) {
    // An id is 22 letters, digits, - and _: it needs no quotes and runs as no formula.
    const name = `,${deviceId},${cell(modelPath)},`
    for await (const page of pages()) {
      yield page.map(({ t, v }) => `${time(t)}${name}${cell(v)}\r\n`).join('')
    }
  }
}

/**
 * RFC 4180: quoted where it holds a comma, a quote or a line end. A text that a spreadsheet would
 * run as a formula gets an apostrophe in front (OWASP, CSV injection); numbers stay as they are.
 */
function cell(value: unknown) {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
