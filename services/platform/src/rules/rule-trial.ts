import type { Miss } from '@longreach/rules/misses'
import type { Occurrence } from '@longreach/rules/occurrences'
import type { Attempt } from './rule-attempt.ts'

/** Occurrences of a device that an answer lists. */
const mostListed = 1_000
const mostMisses = 5
const shortMs = 5_000
const tenMinutesMs = 600_000
const hourMs = 3_600_000

type OfInstance<T> = T & { instance: string }
type Range = { from: number; to: number }

/** Figures of a trial on one device. */
export function trialFigures(attempts: readonly Attempt[], { from, to }: Range) {
  const all = occurrencesIn(attempts)
  const misses = attempts.flatMap(({ instance, misses: some }) =>
    some.map((one): OfInstance<Miss> => ({ ...one, instance })),
  )
  const nearest = misses.toSorted((one, other) => heldShare(other) - heldShare(one))
  const activeMs = all.reduce(
    (sum, { start, end = to }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)),
    0,
  )
  return {
    occurrences: all
      .slice(0, mostListed)
      .map(({ instance, start, end, severity, maxSeverity, raises }) => ({
        instance,
        start,
        ...(end !== undefined && { end }),
        severity,
        maxSeverity,
        raises,
      })),
    count: all.length,
    under5s: all.filter(({ start, end }) => end !== undefined && end - start < shortMs).length,
    hours: activeMs / hourMs,
    mostInTenMinutes: mostWithin(
      all.map(({ start }) => start),
      tenMinutesMs,
    ),
    nearestMisses: nearest.slice(0, mostMisses),
    missing: [...new Set(attempts.flatMap(({ missing }) => missing))],
  }
}

const heldShare = ({ heldMs, ofMs }: Miss) => heldMs / ofMs

const occurrencesIn = (attempts: readonly Attempt[]) =>
  attempts
    .flatMap(({ instance, occurrences }) =>
      occurrences.map((one): OfInstance<Occurrence> => ({ ...one, instance })),
    )
    .toSorted((one, other) => one.start - other.start)

/** Times at which all instances began, in order. */
export const beginningsOf = (attempts: readonly Attempt[]) =>
  occurrencesIn(attempts).map(({ start: t, instance }) => ({ t, instance }))

/** Largest number of times within a span; `times` are sorted. */
function mostWithin(times: readonly number[], spanMs: number) {
  let first = 0
  let most = 0
  for (const [index, t] of times.entries()) {
    while ((times[first] ?? t) <= t - spanMs) first += 1
    most = Math.max(most, index - first + 1)
  }
  return most
}

/**
 * Difference of two trials: occurrences that only one of them has. Two of an instance that overlap and begin at
 * other times are one that has moved.
 */
export function differenceOf(before: readonly Attempt[], after: readonly Attempt[]) {
  const old = occurrencesIn(before)
  const now = occurrencesIn(after)
  const only = (list: typeof old, other: typeof old) => {
    const known = new Set(other.map(({ instance, start }) => `${instance} ${start}`))
    return list.filter(({ instance, start }) => !known.has(`${instance} ${start}`))
  }
  const gone = only(old, now)
  const added = only(now, old)
  const taken = new Set<(typeof old)[number]>()
  const byInstance = Map.groupBy(gone, ({ instance }) => instance)
  for (const one of added) {
    const match = byInstance
      .get(one.instance)
      ?.find((other) => overlap(one, other) && !taken.has(other))
    if (match) taken.add(match)
  }
  const moved = taken.size
  return { more: added.length - moved, fewer: gone.length - moved, moved }
}

const overlap = (one: Occurrence, other: Occurrence) =>
  one.start < (other.end ?? Infinity) && other.start < (one.end ?? Infinity)
