import { isoText } from '@longreach/calendar/iso-time'
import { csvCell, type CsvCell } from '@longreach/kit/csv'
import { Readable } from 'node:stream'
import { createTimeSlicer } from '@longreach/kit/time-slices'
import { Reply } from '@longreach/kit/reply'
import type { Answered } from './query-answered.ts'
import type { TagQuestion } from './tag-contract.ts'

type Wanted = Pick<TagQuestion, 'format' | 'timestampFormat' | 'timezone'>

/** Ms for which an answer is written before other work runs. */
const longestTurnMs = 5

/** Rows that are written before others are looked at. */
const rowsAtOnce = 1_000

/** Text that is read before the answer begins, so that most faults still have a status of their own. */
const beginning = 65_536

/** Answer in the requested format, written while it is read: a month of values is never in memory. */
export async function replyWithTags(
  answers: readonly Answered[],
  wanted: Wanted,
  signal: AbortSignal,
) {
  const isCsv = wanted.format === 'csv'
  const time = createTimeFormat(wanted)
  const chunks = guarded(
    isCsv ? writeCsv(answers, time) : writeJson(answers, wanted.format, time),
    signal,
  )
  const held = await chunks.next()
  const all = (async function* () {
    if (held.done !== true) yield held.value
    yield* chunks
  })()
  return new Reply(
    200,
    isCsv
      ? {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="tags.csv"',
        }
      : { 'content-type': 'application/json; charset=utf-8' },
    Readable.from(all, { objectMode: false, signal }),
  )
}

/** Text in larger pieces; the first waits for enough text, and work stops when the client has left. */
async function* guarded(chunks: AsyncIterable<string>, signal: AbortSignal) {
  let held = ''
  const turn = createTimeSlicer(longestTurnMs)
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    // Values in memory come without a wait: other work runs between them.
    if (turn.isLong()) await turn.next()
    held += chunk
    if (held.length < beginning) continue
    yield held
    held = ''
  }
  signal.throwIfAborted()
  if (held !== '') yield held
}

async function* inSlices(pages: AsyncIterable<unknown[][]>): AsyncIterable<unknown[][]> {
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += rowsAtOnce) yield page.slice(at, at + rowsAtOnce)
  }
}

type TimeWriter = (t: number) => number | string

/** ms, or ISO 8601 in UTC or a zone. CSV is for people and spreadsheets: ISO by default. */
function createTimeFormat({ format, timestampFormat, timezone }: Wanted): TimeWriter {
  const iso = (timestampFormat ?? (format === 'csv' ? 'iso8601' : 'unix')) === 'iso8601'
  return iso ? isoText(timezone) : (t) => t
}

/** Row with its times in the requested format. */
const timed = (types: readonly string[], time: TimeWriter) => (row: readonly unknown[]) =>
  row.map((value, index) =>
    types[index] === 'datetime' && typeof value === 'number' ? time(value) : (value ?? null),
  )

const isSimple = (row: readonly unknown[]): row is [number, number, number?] =>
  (row.length === 2 || (row.length === 3 && Number.isFinite(row[2]))) &&
  typeof row[0] === 'number' &&
  Number.isFinite(row[1])
const qualityOf = (row: readonly unknown[]) => (row.length === 3 ? `,${String(row[2])}` : '')

const quoted = (time: number | string) => (typeof time === 'string' ? `"${time}"` : time)

async function* writeJson(
  answers: readonly Answered[],
  format: Wanted['format'],
  time: TimeWriter,
) {
  const legacy = format === 'legacy'
  yield '['
  for (const [index, { deviceId, modelPath, tagName, types, header, rows }] of answers.entries()) {
    const facts = legacy
      ? { deviceId, modelPath, tagName }
      : { deviceId, modelPath, tagName, types, header }
    yield `${index > 0 ? ',' : ''}${JSON.stringify(facts).slice(0, -1)},"data":[`
    const write = timed(types, time)
    const text = (row: readonly unknown[]) => {
      // Most rows of long answers are a time and a number.
      if (!legacy && isSimple(row)) return `[${quoted(time(row[0]))},${row[1]}${qualityOf(row)}]`
      const values = write(row)
      if (!legacy) return JSON.stringify(values)
      return JSON.stringify(Object.fromEntries(header.map((name, at) => [name, values[at]])))
    }
    let comma = ''
    for await (const page of inSlices(rows())) {
      yield comma + page.map(text).join(',')
      comma = ','
    }
    yield ']}'
  }
  yield ']'
}

/** A line for each value; a description has columns of its own. */
async function* writeCsv(answers: readonly Answered[], time: TimeWriter) {
  const [first] = answers
  const [, ...columns] = first?.header ?? ['timestamp', 'value']
  yield `${[first?.header[0] ?? 'timestamp', 'deviceId', 'modelPath', ...columns].map(cell).join(',')}\r\n`
  for (const { deviceId, modelPath, types, rows } of answers) {
    // An id is 22 letters, digits, - and _: it needs no quotes and runs as no formula.
    const name = `,${deviceId},${cell(modelPath)},`
    const write = timed(types, time)
    for await (const page of inSlices(rows())) {
      const lines = page.map((row) => {
        if (isSimple(row)) return `${time(row[0])}${name}${row[1]}${qualityOf(row)}\r\n`
        const [t, ...values] = write(row)
        return `${String(t)}${name}${values.map(cell).join(',')}\r\n`
      })
      yield lines.join('')
    }
  }
}

/** A value of an answer as a cell; numbers are written as they are, infinite ones too. */
const cell = (value: unknown) =>
  typeof value === 'number' ? String(value) : csvCell(value as CsvCell) // else what JSON has
