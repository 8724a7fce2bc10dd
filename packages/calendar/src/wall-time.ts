import { dayMs } from './units.ts'
import { offsetsOf } from './zone-offset.ts'

/** Date and time of a zone's clock; `month` counts from 1. */
export type WallTime = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  ms: number
}

/** Time of a zone's clock at an instant (ms since 1970). */
export function wallTime(at: number, zone: string): WallTime {
  const clock = new Date(at + offsetsOf(zone)(at) * 60_000)
  return {
    year: clock.getUTCFullYear(),
    month: clock.getUTCMonth() + 1,
    day: clock.getUTCDate(),
    hour: clock.getUTCHours(),
    minute: clock.getUTCMinutes(),
    second: clock.getUTCSeconds(),
    ms: clock.getUTCMilliseconds(),
  }
}

/**
 * Instant at which a zone's clock shows a time. A time that the clock skips counts with the offset
 * before the change; of a time that comes twice it is the first.
 */
export function instantOf(wall: WallTime, zone: string) {
  const offsetAt = offsetsOf(zone)
  const guess = asUtc(wall)
  const early = guess - offsetAt(guess - dayMs) * 60_000
  if (offsetAt(early) * 60_000 === guess - early) return early
  const late = guess - offsetAt(guess + dayMs) * 60_000
  return offsetAt(late) * 60_000 === guess - late ? late : early
}

const asUtc = ({ year, month, day, hour, minute, second, ms }: WallTime) =>
  Date.UTC(year, month - 1, day, hour, minute, second, ms)

/** The same time of day some days later, or earlier for negative `days`. */
export function addDays(wall: WallTime, days: number): WallTime {
  const moved = new Date(Date.UTC(wall.year, wall.month - 1, wall.day + days))
  return {
    ...wall,
    year: moved.getUTCFullYear(),
    month: moved.getUTCMonth() + 1,
    day: moved.getUTCDate(),
  }
}

/** Value of a `datetime-local` field by a zone's clock: `2026-11-21T14:05`. */
export function fieldText(at: number, zone: string) {
  const { year, month, day, hour, minute, second } = wallTime(at, zone)
  const two = (number: number) => String(number).padStart(2, '0')
  const time = `${two(hour)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}`
}

/** Instant of a `datetime-local` field by a zone's clock; undefined when the field is incomplete. */
export function instantOfField(text: string, zone: string) {
  const at = Date.parse(`${text}Z`)
  return Number.isNaN(at) ? undefined : instantOf(wallTime(at, 'UTC'), zone)
}
