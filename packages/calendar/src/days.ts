import { dayMs, type TimeUnit } from './units.ts'
import { offsetsOf } from './zone-offset.ts'

/** Days of a zone, numbered from 1970-01-01. */
export function daysOf(timeZone: string) {
  const offsetAt = offsetsOf(timeZone)
  /** Number of the day that contains a time. */
  const dayAt = (t: number) => Math.floor((t + offsetAt(t) * 60_000) / dayMs)
  /** First ms of a day; days at a clock change are not 24 hours long. */
  const startOf = (day: number) => {
    const local = day * dayMs
    const before = local - offsetAt(local - dayMs) * 60_000
    const after = local - offsetAt(local + dayMs) * 60_000
    if (dayAt(before) === day && dayAt(before - 1) < day) return before
    return dayAt(after) === day && dayAt(after - 1) < day ? after : before
  }
  return { dayAt, startOf }
}

export type CalendarUnit = Extract<TimeUnit, 'days' | 'weeks' | 'months' | 'years'>

/** Number of the day on which the week (Monday), month or year of a day begins. */
export function firstDay(unit: CalendarUnit, day: number) {
  if (unit === 'days') return day
  if (unit === 'weeks') return day - ((((day + 3) % 7) + 7) % 7) // 1970-01-01 was a Thursday
  const date = new Date(day * dayMs)
  return Date.UTC(date.getUTCFullYear(), unit === 'months' ? date.getUTCMonth() : 0, 1) / dayMs
}

/** Number of the day that is `count` units after a first day. */
export function laterDay(unit: CalendarUnit, day: number, count: number) {
  if (unit === 'days') return day + count
  if (unit === 'weeks') return day + 7 * count
  const date = new Date(day * dayMs)
  const months = date.getUTCMonth() + (unit === 'months' ? count : 12 * count)
  return Date.UTC(date.getUTCFullYear(), months, 1) / dayMs
}

/** First ms of the day, week, month or year of a zone that contains a time. */
export function startOfUnit(t: number, unit: CalendarUnit, timeZone: string) {
  const { dayAt, startOf } = daysOf(timeZone)
  return startOf(firstDay(unit, dayAt(t)))
}
