import type { Occurrence } from './occurrences.ts'

/** Occurrence as it is stored. */
export type Stored = Pick<Occurrence, 'start' | 'end' | 'severity' | 'maxSeverity'> & {
  isWithdrawn?: boolean
}

/**
 * Correction of what is stored. `late`: it came and went without being noticed, and people get a
 * message only if `announce`. `end`: it has another end, or none any more.
 */
export type Correction =
  | { kind: 'withdraw'; start: number }
  | { kind: 'end'; start: number; end?: number }
  | { kind: 'restore'; start: number; end?: number }
  | { kind: 'severity'; start: number; severity: number; maxSeverity: number }
  | { kind: 'late'; occurrence: Occurrence; announce: boolean }
  | { kind: 'raise'; occurrence: Occurrence }

/** True for an occurrence that late values after a time can change. */
export const isAfter = ({ start, end }: Pick<Occurrence, 'start' | 'end'>, since: number) =>
  start > since || end === undefined || end > since

/** Time of the server, and the age of an end up to which people get a message. */
type Now = { now: number; lateNotifyMs: number }

/**
 * Corrections that make the stored occurrences of one source those of a replay: first those that
 * end one, so that there are never two open ones. Both lists cover the same range of time.
 */
export function reconcile(
  stored: readonly Stored[],
  replayed: readonly Occurrence[],
  { now, lateNotifyMs }: Now,
): Correction[] {
  const wanted = new Map(replayed.map((one) => [one.start, one]))
  const known = new Set(stored.map(({ start }) => start))
  const corrections = stored.flatMap((one) => correctionsOf(one, wanted.get(one.start)))
  for (const occurrence of replayed) {
    if (known.has(occurrence.start)) continue
    const { end } = occurrence
    if (end === undefined) corrections.push({ kind: 'raise', occurrence })
    else corrections.push({ kind: 'late', occurrence, announce: now - end <= lateNotifyMs })
  }
  return [...corrections.filter(isEnding), ...corrections.filter((one) => !isEnding(one))]
}

const isEnding = (one: Correction) =>
  one.kind === 'withdraw' || (one.kind === 'end' && one.end !== undefined)

function correctionsOf(one: Stored, found: Occurrence | undefined): Correction[] {
  const { start, isWithdrawn = false } = one
  if (!found) return isWithdrawn ? [] : [{ kind: 'withdraw', start }]
  const { severity, maxSeverity } = found
  const end = found.end === undefined ? {} : { end: found.end }
  const corrections: Correction[] = []
  if (isWithdrawn) corrections.push({ kind: 'restore', start, ...end })
  else if (one.end !== found.end) corrections.push({ kind: 'end', start, ...end })
  if (one.severity !== severity || one.maxSeverity !== maxSeverity) {
    corrections.push({ kind: 'severity', start, severity, maxSeverity })
  }
  return corrections
}
