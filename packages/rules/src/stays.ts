import { numberOf } from '@longreach/formula/convert'
import type { Band } from './compare.ts'
import type { Leaf, Limit } from './rule.ts'

/** Closed range of numbers; it is empty where the first is above the second. */
export type NumberRange = readonly [low: number, high: number]

/** Range of numbers around a value in which a comparison stays as it is after that value. */
export type Stays = (value: number, isTrue: boolean) => NumberRange

const most = Number.MAX_VALUE
/** Range of all numbers that are values. */
export const allNumbers: NumberRange = [-most, most]

const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

/** Next larger number (IEEE 754 binary64). */
export function above(x: number): number {
  if (x === 0) return Number.MIN_VALUE
  double[0] = x
  bits[0] = (bits[0] ?? 0n) + (x > 0 ? 1n : -1n)
  return double[0]
}

/** Next smaller number. */
export const below = (x: number) => -above(-x)

/** Range in which a comparison with a fixed limit stays, as `compareWith` compares. */
export function staysWith(op: Leaf['op'], value: Limit, clear: Leaf['clear']): Stays | undefined {
  if (Array.isArray(value)) {
    const enter = { low: value[0], high: value[1] }
    const leave = Array.isArray(clear) ? { low: clear[0], high: clear[1] } : enter
    return staysWithBand(enter, leave)
  }
  if (op === '==' || op === '!=') {
    const number = numberOf(value)
    // A text equals no number.
    return number === null
      ? () => allNumbers
      : (given) => around({ low: number, high: number }, given)
  }
  const limit = numberOf(value)
  if (limit === null) return undefined
  const end = typeof clear === 'number' ? clear : limit
  const range = ranges[op]
  return range && ((_, isTrue) => range(isTrue ? end : limit, isTrue))
}

/** Range in which a comparison with a band stays, as `compareBand` compares. */
export const staysWithBand =
  (enter: Band, leave: Band): Stays =>
  (value, isTrue) =>
    around(isTrue ? leave : enter, value)

/** Band, or all below or above it, whichever a value is in. */
function around({ low, high, openLow, openHigh }: Band, value: number): NumberRange {
  const first = openLow === true ? above(low) : low
  const last = openHigh === true ? below(high) : high
  if (value < first) return [-most, below(first)]
  return value > last ? [above(last), most] : [Math.max(first, -most), Math.min(last, most)]
}

const ranges: Partial<Record<Leaf['op'], (limit: number, isTrue: boolean) => NumberRange>> = {
  '>': (limit, isTrue) => (isTrue ? [above(limit), most] : [-most, limit]),
  '>=': (limit, isTrue) => (isTrue ? [limit, most] : [-most, below(limit)]),
  '<': (limit, isTrue) => (isTrue ? [-most, below(limit)] : [limit, most]),
  '<=': (limit, isTrue) => (isTrue ? [-most, limit] : [above(limit), most]),
}
