import type { ChartSeries } from './chart-data.ts'
import { ownDigits } from './number-format.ts'

/** The unit that a person reads temperatures in; auto: as the device gives them. */
export type TemperatureUnit = 'auto' | 'celsius' | 'fahrenheit'
export const temperatureUnits: readonly TemperatureUnit[] = ['auto', 'celsius', 'fahrenheit']

/** A point of the scale, or the distance of two points: 5 °C more are 9 °F more, though 5 °C are 41 °F. */
type Measure = 'value' | 'difference'

type Scale = Exclude<TemperatureUnit, 'auto'>
/** From the unit of the device to the one that is shown. */
type Conversion = { unit: string; of: (value: number) => number }

export const temperatureSigns: Record<Scale, string> = { celsius: '°C', fahrenheit: '°F' }

/** The scale that a unit of a model names. A C or F alone is none: coulomb and farad. */
function temperatureScale(unit: string): Scale | undefined {
  const plain = unit.trim()
  if (/^(?:[°º˚]\s?C|℃|deg\s?C|(?:degrees?\s)?celsius)$/i.test(plain)) return 'celsius'
  return /^(?:[°º˚]\s?F|℉|deg\s?F|(?:degrees?\s)?fahrenheit)$/i.test(plain)
    ? 'fahrenheit'
    : undefined
}

/**
 * Conversion for the values of a unit; undefined: none. Kelvin is never converted, as it also stands
 * for differences.
 */
function conversionOf(
  unit: string | undefined,
  wanted: TemperatureUnit,
  measure: Measure,
): Conversion | undefined {
  if (unit === undefined || wanted === 'auto') return undefined
  const [whole, time] = unit.split(/\/(?=\s*(?:s|min|h|d)\s*$)/)
  const scale = temperatureScale(whole ?? '')
  if (scale === undefined || scale === wanted) return undefined
  const shift = measure === 'value' && time === undefined ? 32 : 0
  const exact =
    wanted === 'fahrenheit'
      ? (value: number) => value * 1.8 + shift
      : (value: number) => (value - shift) / 1.8
  const sign = temperatureSigns[wanted]
  return {
    unit: time === undefined ? sign : `${sign}/${time.trim()}`,
    of: (value) => rounded(exact(value), value),
  }
}

/**
 * No more digits after the point than the device gave, but one: else 366 °F and 367 °F were the same
 * in °C. What single precision adds behind its seventh digit was not given.
 */
function rounded(value: number, given: number) {
  if (!Number.isFinite(value)) return value
  let digits = ownDigits(given)
  if (digits > 5 && Math.fround(given) === given) digits = ownDigits(Number(given.toPrecision(7)))
  const factor = 10 ** Math.max(1, digits)
  const scaled = Math.round(value * factor) / factor + 0 // no negative zero
  return Number.isFinite(scaled) ? scaled : value
}

/** A value with its unit as a person reads it; what is no number stays as it is. */
export function shownValue<T>(value: T, unit: string | undefined, wanted: TemperatureUnit) {
  const isNothing = value === null || value === undefined
  const conversion =
    typeof value === 'number' || isNothing ? conversionOf(unit, wanted, 'value') : undefined
  if (conversion === undefined) return { value, unit }
  const shown = typeof value === 'number' ? conversion.of(value) : value
  return { value: shown as T, unit: conversion.unit } // a number became a number
}

/** True when values of a unit are shown in another unit. */
export const isShownOtherwise = (unit: string | undefined, wanted: TemperatureUnit) =>
  conversionOf(unit, wanted, 'value') !== undefined

type Line = Pick<ChartSeries, 'values' | 'low' | 'high' | 'held' | 'states' | 'unit'>
type Column = ArrayLike<number | null>

/** A line of a chart as a person reads it: its values, band and what held before them. States stay. */
export function shownSeries<T extends Line>(
  series: T,
  wanted: TemperatureUnit,
  measure: Measure = 'value',
): T {
  const { unit, values, low, high, held, states } = series
  const conversion = states ? undefined : conversionOf(unit, wanted, measure)
  if (conversion === undefined) return series
  const column = (given: Column) => shownColumn(given, conversion, `${unit} ${measure}`)
  return {
    ...series,
    unit: conversion.unit,
    values: column(values),
    ...(low && { low: column(low) }),
    ...(high && { high: column(high) }),
    ...(held && { held: { ...held, value: conversion.of(held.value) } }),
  }
}

/** Last converted values of each column, so that an unchanged line is not drawn again. */
const known = new WeakMap<Column, { key: string; shown: (number | null)[] }>()

function shownColumn(given: Column, { unit, of }: Conversion, from: string) {
  const key = `${from} ${unit}`
  const before = known.get(given)
  if (before?.key === key) return before.shown
  const shown: (number | null)[] = []
  for (let index = 0; index < given.length; index++) {
    const value = given[index] ?? null
    shown.push(value === null ? null : of(value))
  }
  known.set(given, { key, shown })
  return shown
}
