/** Units of time in a setting or query, from the shortest to the longest. */
export const timeUnits = [
  'milliseconds',
  'seconds',
  'minutes',
  'hours',
  'days',
  'weeks',
  'months',
  'years',
] as const
export type TimeUnit = (typeof timeUnits)[number]

/** Length of time as a setting or query gives it: 15 minutes. */
export type Span = { size: number; unit: TimeUnit }

export const dayMs = 86_400_000

const unitMs: Readonly<Record<TimeUnit, number>> = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: dayMs,
  weeks: 7 * dayMs,
  months: 30 * dayMs,
  years: 365 * dayMs,
}

/** Length of a span in ms, at least 1; months count 30 days and years 365. */
export const spanMs = ({ size, unit }: Span) => Math.max(1, Math.round(size * unitMs[unit]))
