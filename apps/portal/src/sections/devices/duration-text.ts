import { numberFormat } from '@longreach/ui/number-writing'

const sizes = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** A length of time in its largest units, two unless told: `3 days 4 hr`. */
export function durationText(ms: number, locale: string, units = 2) {
  let rest = Math.max(0, ms)
  const parts = sizes.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? [inUnit(count, unit, locale)] : []
  })
  return parts.slice(0, units).join(' ') || inUnit(0, 'second', locale)
}

const inUnit = (count: number, unit: string, locale: string) =>
  numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count)
