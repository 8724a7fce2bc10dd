import { type CalendarUnit, daysOf, firstDay, laterDay } from './days.ts'
import { type Span, spanMs } from './units.ts'

/** Steps of time beside each other: each ends at the start of the next, the last at `to`. */
export type Steps = { starts: readonly number[]; to: number }
type Range = { since: number; to: number; timezone?: string | undefined }

/**
 * Steps of a range. Steps of a calendar begin with its days, weeks, months or years, the first with
 * the range; other steps have equal lengths from the beginning of the range.
 */
export function stepsOf(span: Span, { since, to, timezone }: Range): Steps {
  const unit = calendarUnit(span, timezone)
  const starts: number[] = []
  if (!unit) {
    const width = spanMs(span)
    for (let start = since; start < to; start += width) starts.push(start)
    return { starts, to }
  }
  const { dayAt, startOf } = daysOf(timezone ?? 'UTC')
  const count = Math.max(1, Math.round(span.size))
  for (
    let day = firstDay(unit, dayAt(since));
    startOf(day) < to;
    day = laterDay(unit, day, count)
  ) {
    starts.push(Math.max(since, startOf(day)))
  }
  return { starts, to }
}

/** Unit of a span that follows the calendar: months and years always, days and weeks in a named zone. */
function calendarUnit({ unit }: Span, timezone: string | undefined): CalendarUnit | undefined {
  if (unit === 'months' || unit === 'years') return unit
  return timezone !== undefined && (unit === 'days' || unit === 'weeks') ? unit : undefined
}
