import type { Rule } from '@longreach/rules/rule'

/** Difference of two versions of a rule: its place, and the value before and after; absent is undefined. */
type Difference = { place: string; before: unknown; after: unknown }

/** Places at which two versions of a rule differ. Lists are compared as a whole where their lengths differ. */
export function differencesOf(before: Rule, after: Rule): Difference[] {
  return differ(before, after, '')
}

function differ(before: unknown, after: unknown, place: string): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const [one, other] = [entriesIn(before), entriesIn(after)]
  const isComparable =
    one !== undefined &&
    other !== undefined &&
    Array.isArray(before) === Array.isArray(after) &&
    (!Array.isArray(before) || Object.keys(one).length === Object.keys(other).length)
  if (!isComparable) return [{ place, before, after }]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) =>
    differ(one[name], other[name], place === '' ? name : `${place}.${name}`),
  )
}

const entriesIn = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>) // its keys are read as texts
    : undefined
