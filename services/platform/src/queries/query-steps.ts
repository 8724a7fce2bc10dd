import { calendarOf } from './query-zone.ts'

/** A size and its unit, as a question says it. */
export type Span = { size: number; unit: Unit }
type Unit = 'milliseconds' | 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years'

const dayMs = 86_400_000
const unitMs: Readonly<Record<Unit, number>> = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: dayMs,
  weeks: 7 * dayMs,
  months: 30 * dayMs,
  years: 365 * dayMs,
}

/** Steps of time beside each other, each to the beginning of the next, the last to `to`. */
export type Steps = { starts: readonly number[]; to: number }

/** About how long a span is: months and years vary. */
export const roughMs = ({ size, unit }: Span) => Math.max(1, Math.round(size * unitMs[unit]))

/** Days and longer follow the calendar when a zone is named; months and years always do. */
const isCalendar = ({ unit }: Span, timezone: string | undefined) =>
  unit === 'months' ||
  unit === 'years' ||
  (timezone !== undefined && roughMs({ size: 1, unit }) >= dayMs)

type Range = { since: number; to: number; timezone?: string | undefined }

/** The steps of a range; those of a calendar begin on its days, weeks, months or years. */
export function stepsOf(span: Span, { since, to, timezone }: Range): Steps {
  const starts: number[] = []
  if (!isCalendar(span, timezone)) {
    const width = roughMs(span)
    for (let start = since; start < to; start += width) starts.push(start)
    return { starts, to }
  }
  const { dayAt, startOf } = calendarOf(timezone ?? 'UTC')
  let day = firstDay(span, dayAt(since))
  while (startOf(day) < to) {
    // The first one begins with the range.
    starts.push(Math.max(since, startOf(day)))
    day = nextDay(span, day)
  }
  return { starts, to }
}

/** The day on which the week, month or year of a day began. */
function firstDay({ unit }: Span, day: number) {
  if (unit === 'days') return day
  if (unit === 'weeks') return day - ((((day + 3) % 7) + 7) % 7) // 1970-01-01 was a Thursday
  const date = new Date(day * dayMs)
  return Date.UTC(date.getUTCFullYear(), unit === 'months' ? date.getUTCMonth() : 0, 1) / dayMs
}

function nextDay({ size, unit }: Span, day: number) {
  const count = Math.max(1, Math.round(size))
  if (unit === 'days') return day + count
  if (unit === 'weeks') return day + 7 * count
  const date = new Date(day * dayMs)
  const months = date.getUTCMonth() + (unit === 'months' ? count : 12 * count)
  return Date.UTC(date.getUTCFullYear(), months, 1) / dayMs
}

/** Neighbours of equal width together, as the store counts them. */
type Run = { since: number; to: number; width: number }

/** The steps in runs of equal width. */
export function runsOf({ starts, to }: Steps): Run[] {
  const runs: Run[] = []
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to
    const width = end - start
    const run = runs.at(-1)
    // The last step may be shorter: the range ends within it.
    const fits = run && (run.width === width || (index === starts.length - 1 && width < run.width))
    if (fits) run.to = end
    else runs.push({ since: start, to: end, width })
  }
  return runs
}

/** Which step a time lies in, for times that come in order. */
export function stepFinder({ starts }: Steps): (t: number) => number {
  let at = 0
  return (t) => {
    if (t < (starts[at] ?? Infinity)) at = 0
    while (at + 1 < starts.length && t >= (starts[at + 1] ?? Infinity)) at += 1
    return at
  }
}
