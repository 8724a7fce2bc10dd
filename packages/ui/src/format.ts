import { numberFormat } from './number-writing.ts'

/** Byte sizes: 1024 gives KiB, 1000 gives kB; one decimal by default (N-04). */
export function formatBytes(
  bytes: number,
  {
    base = 1024,
    decimals = 1,
    locale = 'en-US',
  }: { base?: 1000 | 1024; decimals?: number; locale?: string } = {},
) {
  const units = base === 1024 ? binaryUnits : decimalUnits
  const size = Math.abs(bytes)
  const whole = size < 1 ? 0 : Math.floor(Math.log(size) / Math.log(base) + 1e-9)
  let step = Math.min(whole, units.length - 1)
  // 1,019.4 KiB reads 1.0 MiB: four digits before the unit are hard to compare.
  const rounded = Number((size / base ** step).toFixed(decimals))
  if (rounded >= 1000 && step < units.length - 1) step += 1
  const number = numberFormat(locale, {
    maximumFractionDigits: step === 0 ? 0 : decimals,
    minimumFractionDigits: step === 0 ? 0 : decimals,
  }).format(bytes / base ** step)
  return `${number}\u00a0${units[step]}`
}

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
const decimalUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** A measured number with at most `digits` significant digits and its unit; a dash when it was not measured. */
export function formatValue(
  value: number | undefined | null,
  {
    unit,
    digits = 4,
    locale = 'en-US',
  }: { unit?: string | undefined; digits?: number; locale?: string } = {},
) {
  if (value === undefined || value === null || Number.isNaN(value)) return '—'
  const number = Number.isFinite(value)
    ? numberFormat(locale, {
        maximumSignificantDigits: digits,
        useGrouping: 'always',
      }).format(value)
    : value > 0
      ? '∞'
      : '−∞'
  return unit === undefined || unit === '' ? number : `${number}\u00a0${unit}`
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** `12 s ago` within a day, then date and time. */
export function formatAge(at: Date, now: Date, locale: string, timeZone?: string) {
  const ago = now.getTime() - at.getTime()
  if (Math.abs(ago) >= day) return formatTime(at, locale, timeZone)
  // In German a narrow minute is an m, like a metre; in French the word "ago" is gone.
  const style = locale.startsWith('en') ? 'narrow' : 'short'
  const relative = new Intl.RelativeTimeFormat(locale, { style, numeric: 'auto' })
  const [size, unit] =
    Math.abs(ago) < minute
      ? ([second, 'second'] as const)
      : Math.abs(ago) < hour
        ? ([minute, 'minute'] as const)
        : ([hour, 'hour'] as const)
  return relative.format(-Math.trunc(ago / size), unit)
}

/** Date and time to the second, with the zone where one is named. */
export const formatTime = (at: Date, locale: string, timeZone?: string) =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(timeZone !== undefined && { timeZone }),
  }).format(at)
