import type { Activity } from '../device-calls.ts'

const dayMs = 24 * 3_600_000
type Line = Pick<Activity, 'now' | 'connected' | 'connectedBefore' | 'changes'>

/** Stretches of connection, losses, and the end of the unknown time in the last 24 hours, as shares of the day from 0 to 1. */
export function stretchesOf({ now, connected, connectedBefore, changes }: Line) {
  const at = (ms: number) => Math.min(1, Math.max(0, (ms - (now - dayMs)) / dayMs))
  const stretches: { from: number; to: number }[] = []
  // Nothing happened: it was all day as it is now, if it was there at all.
  const before = connectedBefore ?? (changes.length === 0 && connected)
  let open = before ? 0 : undefined
  for (const [ms, up] of changes) {
    if (up) open ??= at(ms)
    else if (open !== undefined) {
      stretches.push({ from: open, to: at(ms) })
      open = undefined
    }
  }
  if (open !== undefined) stretches.push({ from: open, to: 1 })
  const [first] = changes
  // Before its first coming nobody knows; a first loss means that it was there.
  const isKnown = connectedBefore !== null || first === undefined || !first[1]
  return {
    stretches,
    losses: changes.filter(([, up]) => !up).map(([ms]) => at(ms)),
    unknownUntil: isKnown ? 0 : at(first[0]),
  }
}
