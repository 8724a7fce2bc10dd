import { addDays, instantOf, type WallTime, wallTime } from '@longreach/calendar/wall-time'
import { offsetsOf } from '@longreach/calendar/zone-offset'

/** Quick ranges that end now (`15m`) or follow the calendar of the chosen zone (`today`). */
export const quickRanges = [
  '5m',
  '15m',
  '1h',
  '6h',
  '24h',
  '7d',
  '30d',
  '90d',
  'today',
  'yesterday',
  'this-week',
  'this-month',
] as const
export type QuickRange = (typeof quickRanges)[number]

/** Range that a person chose: one that moves with the clock, or two fixed instants (ms since 1970). */
export type TimeRange = QuickRange | { from: number; to: number }

/** Two instants in ms since 1970; `to` is exclusive. */
export type TimeWindow = { from: number; to: number }

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const isQuick = (text: string): text is QuickRange =>
  (quickRanges as readonly string[]).includes(text)

/** A range from an address: `24h`, `today`, or an ISO 8601 interval `start/end`; undefined when it is neither. */
export function parseRange(text: string): TimeRange | undefined {
  if (isQuick(text)) return text
  const [start, end, more] = text.split('/')
  if (start === undefined || end === undefined || more !== undefined) return undefined
  const range = { from: Date.parse(start), to: Date.parse(end) }
  return range.from < range.to ? range : undefined
}

/** The text of a range for an address; the inverse of `parseRange`. */
export const rangeText = (range: TimeRange) =>
  typeof range === 'string'
    ? range
    : `${new Date(range.from).toISOString()}/${new Date(range.to).toISOString()}`

/** True for a range whose end is the present moment. */
export const endsNow = (range: TimeRange) => typeof range === 'string' && range !== 'yesterday'

/**
 * Start and end of the range at the moment `now` in `zone`; weeks start on `weekStart` (1 Monday … 7
 * Sunday).
 */
export function resolveRange(
  range: TimeRange,
  now: number,
  zone: string,
  weekStart = 1,
): TimeWindow {
  if (typeof range !== 'string') return range
  const moving = /^(\d+)([mhd])$/.exec(range)
  if (moving) {
    const unit = unitMs[moving[2] as keyof typeof unitMs] // the pattern allows m, h and d only
    return { from: now - Number(moving[1]) * unit, to: now }
  }
  const today = wallTime(now, zone)
  const midnight = { ...today, hour: 0, minute: 0, second: 0, ms: 0 }
  if (range === 'yesterday')
    return { from: instantOf(addDays(midnight, -1), zone), to: instantOf(midnight, zone) }
  if (range === 'this-week') {
    const weekday = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay()
    return { from: instantOf(addDays(midnight, -((weekday - weekStart + 7) % 7)), zone), to: now }
  }
  const start = range === 'this-month' ? { ...midnight, day: 1 } : midnight
  return { from: instantOf(start, zone), to: now }
}

/**
 * The neighbouring window, `steps` windows later (negative: earlier). A window of whole local days
 * moves by days of the calendar, so that midnight stays midnight where the clock changes.
 */
export function shiftWindow({ from, to }: TimeWindow, steps: number, zone: string): TimeWindow {
  const [start, end] = [wallTime(from, zone), wallTime(to, zone)]
  const days = Math.round((dayNumber(end) - dayNumber(start)) / unitMs.d)
  if (days >= 1 && sameTimeOfDay(start, end))
    return {
      from: instantOf(addDays(start, days * steps), zone),
      to: instantOf(addDays(end, days * steps), zone),
    }
  const length = to - from
  return { from: from + length * steps, to: to + length * steps }
}

/** Twice the window around the same middle, never past `now`. */
export function widerWindow({ from, to }: TimeWindow, now: number): TimeWindow {
  const half = (to - from) / 2
  const late = Math.min(to + half, Math.max(now, to))
  return { from: Math.round(late - 4 * half), to: Math.round(late) }
}

/** Instants in the window at which the zone's clock changes, with the hours it jumps. */
export function clockChanges({ from, to }: TimeWindow, zone: string) {
  const changes: { at: number; hours: number }[] = []
  const offsetAt = offsetsOf(zone)
  for (let day = from; day < to; day += unitMs.d) {
    const end = Math.min(day + unitMs.d, to)
    const [before, after] = [offsetAt(day), offsetAt(end)]
    if (before === after) continue
    let [low, high] = [day, end]
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(middle) === before) low = middle
      else high = middle
    }
    changes.push({ at: Math.round(high / 60_000) * 60_000, hours: (after - before) / 60 })
  }
  return changes
}

const dayNumber = ({ year, month, day }: WallTime) => Date.UTC(year, month - 1, day)
const sameTimeOfDay = (a: WallTime, b: WallTime) =>
  a.hour === b.hour && a.minute === b.minute && a.second === b.second && a.ms === b.ms
