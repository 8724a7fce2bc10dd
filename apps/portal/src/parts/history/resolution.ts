import { startOfUnit } from '@longreach/calendar/days'
import type { TimeWindow } from '@longreach/ui/time-range'

/** Time in ms that one point of a chart stands for; `raw` shows the stored values. */
export type Resolution = 'raw' | number
/** Sizes of buckets in ms that read well, from one second to a month. */
export const bucketSizesMs = [
  1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000, 604_800_000, 2_592_000_000,
] as const

/** More stored points than this for one series are not drawn one by one. */
const rawBudget = 20_000

/** The smallest readable bucket that gives at most one point a pixel. */
export function bucketFor({ from, to }: TimeWindow, pixels: number) {
  const wanted = (to - from) / Math.max(50, pixels)
  return bucketSizesMs.find((size) => size >= wanted) ?? 2_592_000_000
}

/**
 * Resolution to draw: the requested one, unless it has more points than the budget. `storedMs` is the expected
 * time between stored points; below one point per pixel the stored points are drawn.
 */
export function chooseResolution(
  asked: Resolution | 'auto',
  window: TimeWindow,
  { pixels, storedMs = 1000 }: { pixels: number; storedMs?: number },
): Resolution {
  const length = window.to - window.from
  const automatic = bucketFor(window, pixels)
  if (asked === 'auto') return automatic <= storedMs * 2 ? 'raw' : automatic
  if (asked === 'raw') return length / storedMs <= rawBudget ? 'raw' : automatic
  return length / asked <= rawBudget ? asked : automatic
}

/** A length of time as its largest whole unit, for a message: 300000 is 5 minutes. */
export function lengthIn(ms: number): {
  count: number
  unit: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month'
} {
  if (ms === monthMs) return { count: 1, unit: 'month' }
  if (ms === weekMs) return { count: 1, unit: 'week' }
  if (ms % 86_400_000 === 0) return { count: ms / 86_400_000, unit: 'day' }
  if (ms % 3_600_000 === 0) return { count: ms / 3_600_000, unit: 'hour' }
  if (ms % 60_000 === 0) return { count: ms / 60_000, unit: 'minute' }
  return { count: ms / 1000, unit: 'second' }
}

const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** Stands for a month of the calendar, however long that is. */
const monthMs = 30 * dayMs

/** True for buckets that follow the calendar of a zone: a day and longer. */
export const isCalendar = (resolution: Resolution) => resolution !== 'raw' && resolution >= dayMs

/** The steps of a question about values; days, weeks and months are those of the calendar of `zone`. */
export function stepsOf(resolution: number, zone: string) {
  const unit = calendarUnits[resolution]
  return unit
    ? { sampling: { size: 1, unit }, timezone: zone }
    : { sampling: { size: resolution, unit: 'milliseconds' as const } }
}
const calendarUnits: Readonly<Record<number, 'days' | 'weeks' | 'months'>> = {
  [dayMs]: 'days',
  [weekMs]: 'weeks',
  [monthMs]: 'months',
}

/** Start of the bucket that contains a time: midnight of the zone, or a multiple of the bucket's size. */
export function bucketStart(at: number, resolution: number, zone: string) {
  const unit = calendarUnits[resolution]
  return unit ? startOfUnit(at, unit, zone) : Math.floor(at / resolution) * resolution
}

/** A chosen resolution from an address: `raw`, a length in seconds, or `auto` for anything else. */
export function parseResolution(text: string | undefined): Resolution | 'auto' {
  if (text === 'raw') return 'raw'
  const ms = Number(text) * 1000
  return bucketSizesMs.some((size) => size === ms) ? ms : 'auto'
}

export const resolutionText = (resolution: Resolution | 'auto') =>
  typeof resolution === 'number' ? String(resolution / 1000) : resolution
