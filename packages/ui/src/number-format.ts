import { numberFormat } from './number-writing.ts'

/** Digits after the point so that `value` shows at most four significant digits but never loses whole ones. */
function fractionDigits(value: number) {
  const size = Math.abs(value)
  if (size === 0 || !Number.isFinite(size)) return 0
  return Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(size))))
}

/** A measured number for reading: `47.2`, `12,345`, `0.00123`; grouped even where the locale would not group four digits. */
export function readableNumber(value: number, locale: string, digits = fractionDigits(value)) {
  if (value !== 0 && (Math.abs(value) >= 1e12 || Math.abs(value) < 1e-6))
    return numberFormat(locale, {
      notation: 'scientific',
      maximumFractionDigits: 3,
    }).format(value)
  return grouped(locale, digits).format(value)
}

/** A number with exactly so many digits after the point, so that numbers under each other stand in line. */
export function alignedNumber(value: number, locale: string, digits: number) {
  if (value !== 0 && Math.abs(value) >= 1e12) return readableNumber(value, locale)
  return grouped(locale, digits, digits).format(value)
}

const mostSampled = 2_000

/**
 * Digits after the point that tell the values of a series apart: four significant ones of the largest
 * and three of the spread, never more than the values have.
 */
export function seriesDigits(values: ArrayLike<number | null>) {
  const step = Math.max(1, Math.floor(values.length / mostSampled))
  let [low, high, own] = [Infinity, -Infinity, 0]
  for (let index = 0; index < values.length; index += step) {
    const value = values[index] ?? undefined
    if (value === undefined || !Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
    if (own < mostDigits) own = Math.max(own, ownDigits(value))
  }
  if (low > high) return 0
  const spread = high - low
  const telling = spread > 0 ? 2 - Math.floor(Math.log10(spread)) : 0
  const wanted = Math.max(fractionDigits(Math.max(Math.abs(low), Math.abs(high))), telling)
  return Math.max(0, Math.min(own, wanted, mostDigits))
}
const tens = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
const mostDigits = tens.length - 1

/** Digits after the point that a value has; what a float adds behind its fifteenth digit is none. */
export function ownDigits(value: number) {
  for (let digits = 0; digits < mostDigits; digits++) {
    const scaled = value * (tens[digits] ?? 1)
    if (Math.abs(scaled - Math.round(scaled)) <= Math.abs(scaled) * 1e-12) return digits
  }
  return mostDigits
}

const grouped = (locale: string, digits: number, least = 0) =>
  numberFormat(locale, {
    maximumFractionDigits: digits,
    minimumFractionDigits: least,
    useGrouping: 'always',
  })
