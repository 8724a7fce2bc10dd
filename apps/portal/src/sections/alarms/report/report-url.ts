import { daysOf, firstDay, laterDay } from '@longreach/calendar/days'
import { parseRange, resolveRange, type TimeWindow } from '@longreach/ui/time-range'
import { zoneFrom } from '../../../parts/look/time-zone.ts'
import type { Search } from '../../../parts/pages/section.ts'
import { one } from '../../../parts/pages/use-search.ts'

/** Lengths of a report: of a day, week or month of the calendar, or of a time of the person's own. */
export const periods = ['day', 'week', 'month', 'own'] as const
type Period = (typeof periods)[number]

/** Report as it stands in the address. */
export type ReportState = {
  period: Period
  /** Time as two instants. */
  window: TimeWindow
  /** Days of the periods before and after, for a period of the calendar. */
  beside: { earlier: string; later: string } | undefined
  shifts: readonly string[]
  zone: string
  /** With the organizations below. */
  below: boolean
}

export const usualShifts = ['06:00', '14:00', '22:00']
const usualPeriod = 'week'
const dayMs = 86_400_000
const units = { day: 'days', week: 'weeks', month: 'months' } as const

/** Reads the report from the address; what does not read is as if it were not there. */
export function reportState(search: Search, now: number): ReportState {
  const zone = zoneFrom(one(search['zone']))
  const period = periods.find((name) => name === one(search['period'])) ?? usualPeriod
  const facts = {
    period,
    zone,
    shifts: readShifts(one(search['shifts']) ?? '') ?? usualShifts,
    below: one(search['below']) !== 'false',
  }
  if (period !== 'own')
    return { ...facts, ...calendarOf(units[period], one(search['at']), zone, now) }
  const range = parseRange(one(search['time']) ?? '') ?? '7d'
  return { ...facts, window: resolveRange(range, now, zone), beside: undefined }
}

/** Begins of shifts from `06:00, 14:00`, in order; undefined when it is no list of times. */
export function readShifts(text: string): string[] | undefined {
  const times = text.split(/[\s,;]+/).filter((word) => word !== '')
  const read = times.map((word) => {
    const [, hour = '', minute = '00'] = /^(\d{1,2})(?::(\d\d))?$/.exec(word) ?? []
    const isTime = hour !== '' && Number(hour) < 24 && Number(minute) < 60
    return isTime ? `${hour.padStart(2, '0')}:${minute}` : undefined
  })
  const known = read.filter((time) => time !== undefined)
  if (known.length === 0 || known.length < read.length || known.length > 12) return undefined
  return [...new Set(known)].toSorted()
}

function calendarOf(
  unit: (typeof units)[keyof typeof units],
  at: string | undefined,
  zone: string,
  now: number,
) {
  const { dayAt, startOf } = daysOf(zone)
  const asked = /^\d{4}-\d\d-\d\d$/.test(at ?? '') ? Date.parse(`${at}T00:00:00Z`) : Number.NaN
  const day = firstDay(unit, Number.isNaN(asked) ? dayAt(now) : Math.floor(asked / dayMs))
  const [earlier, later] = [laterDay(unit, day, -1), laterDay(unit, day, 1)]
  return {
    window: { from: startOf(day), to: startOf(later) },
    beside: { earlier: dateText(earlier), later: dateText(later) },
  }
}

const dateText = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)
