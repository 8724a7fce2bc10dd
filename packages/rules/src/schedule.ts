import { daysOf } from '@longreach/calendar/days'
import { dayMs } from '@longreach/calendar/units'
import { instantOf, wallTime } from '@longreach/calendar/wall-time'
import type { Schedule } from './rule.ts'

/** Schedule in a zone: open or not at a time, and the next time at which that changes. */
export type CompiledSchedule = {
  isOpen: (t: number) => boolean
  /** First change after `t`; undefined when there is none within the exceptions and eight days. */
  nextEdge: (t: number) => number | undefined
}

type Stretch = { from: number; to: number }

/** Compiles a schedule; `zone` is the device's, for schedules that follow it. */
export function compileSchedule(schedule: Schedule, deviceZone = 'UTC'): CompiledSchedule {
  const zone = schedule.zone === 'device' ? deviceZone : schedule.zone
  const { dayAt } = daysOf(zone)
  const except = new Set(schedule.exceptDates.map((date) => Date.parse(`${date}T00:00Z`) / dayMs))
  const times = schedule.times.map(({ days, from, to }) => {
    const [begin, end] = [minutesOf(from), minutesOf(to)]
    return { days: new Set(days), begin, end: end > begin ? end : end + 1_440 }
  })
  /** Windows that begin on a day; those of the last day asked are kept. */
  const kept = new Map<number, Stretch[]>()
  const windowsOf = (day: number): Stretch[] => {
    const known = kept.get(day)
    if (known) return known
    const weekday = (((day + 4) % 7) + 7) % 7 // 1970-01-01 was a Thursday
    const begin = except.has(day) ? [] : times.filter(({ days }) => days.has(weekday))
    const windows = begin
      .map(({ begin, end }) => ({
        from: clockInstant(day, begin, zone),
        to: clockInstant(day, end, zone),
      }))
      .filter(({ from, to }) => to > from)
    if (kept.size > 100) kept.clear()
    kept.set(day, windows)
    return windows
  }
  /** Windows that can contain a time: they are at most a day long. */
  const near = (day: number) => [...windowsOf(day - 1), ...windowsOf(day)]
  const isOpen = (t: number) => near(dayAt(t)).some(({ from, to }) => from <= t && t < to)
  const furthest = 8 + except.size

  const nextEdge = (t: number) => {
    const open = isOpen(t)
    const first = dayAt(t)
    for (let day = first; day <= first + furthest; day += 1) {
      const edges = near(day)
        .flatMap(({ from, to }) => [from, to])
        .filter((edge) => edge > t && isOpen(edge) !== open)
      if (edges.length > 0) return Math.min(...edges)
    }
    return undefined
  }
  return { isOpen, nextEdge }
}

const minutesOf = (text: string) => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

/**
 * Instant at which a zone's clock shows a minute of a day. A time that the clock skips is the moment
 * of the change, of a time that comes twice it is the first.
 */
export function clockInstant(day: number, minute: number, zone: string) {
  const asUtc = day * dayMs + minute * 60_000
  const wall = wallTime(asUtc, 'UTC')
  const at = instantOf(wall, zone)
  const shown = wallTime(at, zone)
  const skipped = shown.hour !== wall.hour || shown.minute !== wall.minute || shown.day !== wall.day
  return skipped ? changeBefore(at, zone) : at
}

/** Moment of the change of a zone's clock that lies less than a day before a time. */
function changeBefore(at: number, zone: string) {
  const offsetAt = (t: number) => {
    const { year, month, day, hour, minute, second, ms } = wallTime(t, zone)
    return Date.UTC(year, month - 1, day, hour, minute, second, ms) - t
  }
  const after = offsetAt(at)
  let [low, high] = [at - dayMs, at]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === after) high = middle
    else low = middle
  }
  return high
}
