import type { FormulaValue } from '@longreach/formula/tree'
import { numberOf } from '@longreach/formula/convert'
import type { Leaf, Limit } from './rule.ts'

/**
 * Truth of a comparison; `was` is what it was before, so that a dead-band keeps it true. Null is
 * unknown: no value, or one of another type.
 */
export type Compare = (value: FormulaValue, other: FormulaValue, was: boolean) => boolean | null

/** Band of numbers; its ends belong to it unless they are open. */
export type Band = { low: number; high: number; openLow?: boolean; openHigh?: boolean }

/** Membership in a band; its ends belong to it unless they are open. */
export const isInBand = (x: number, { low, high, openLow, openHigh }: Band) =>
  (openLow === true ? x > low : x >= low) && (openHigh === true ? x < high : x <= high)

/** Comparison with a fixed limit. */
export function compareWith(op: Leaf['op'], value: Limit, clear: Leaf['clear']): Compare {
  if (Array.isArray(value)) {
    const enter = { low: value[0], high: value[1] }
    const leave = Array.isArray(clear) ? { low: clear[0], high: clear[1] } : enter
    return compareBand(enter, leave, op === 'inside')
  }
  if (op === '==' || op === '!=') {
    return (given) => {
      const same = sameAs(given, value)
      return same === null ? null : same === (op === '==')
    }
  }
  if (op === 'contains') {
    return (given) => (typeof given === 'string' ? given.includes(String(value)) : null)
  }
  const limit = numberOf(value)
  const end = typeof clear === 'number' ? clear : limit
  const exceeds = excesses[op]
  return (given, _, was) => {
    const number = numberOf(given)
    const bound = was ? end : limit
    return number === null || bound === null || !exceeds ? null : exceeds(number, bound)
  }
}

/** Comparison with a band; `leave` is the band that ends it. */
export function compareBand(enter: Band, leave: Band, inside: boolean): Compare {
  return (given, _, was) => {
    const number = numberOf(given)
    return number === null ? null : isInBand(number, was ? leave : enter) === inside
  }
}

/** Comparison with another value; `clear` is the width of the dead-band. */
export function compareWithOther(op: Leaf['op'], clear: Leaf['clear']): Compare {
  if (op === '==' || op === '!=') {
    return (given, other) => {
      const same = other === null ? null : sameAs(given, other)
      return same === null ? null : same === (op === '==')
    }
  }
  if (op === 'contains') {
    return (given, other) =>
      typeof given === 'string' && typeof other === 'string' ? given.includes(other) : null
  }
  const width = typeof clear === 'number' ? clear : 0
  const exceeds = excesses[op]
  const towards = op === '>' || op === '>=' ? -width : width
  return (given, other, was) => {
    const [one, bound] = [numberOf(given), numberOf(other)]
    if (one === null || bound === null || !exceeds) return null
    return exceeds(one, was ? bound + towards : bound)
  }
}

const excesses: Partial<Record<Leaf['op'], (x: number, limit: number) => boolean>> = {
  '>': (x, limit) => x > limit,
  '>=': (x, limit) => x >= limit,
  '<': (x, limit) => x < limit,
  '<=': (x, limit) => x <= limit,
}

/** Equality as in formulas: texts equal texts only, true equals 1. */
function sameAs(one: FormulaValue, other: string | number | boolean): boolean | null {
  if (one === null) return null
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return Number(one) === Number(other)
}
