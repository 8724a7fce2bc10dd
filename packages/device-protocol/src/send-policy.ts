import type { Condition, SendPolicy } from './configuration.ts'
import { watcherOf } from './send-triggers.ts'
import type { Sample, Value } from './value.ts'

/** Sender of one leaf: decides which values are sent, and when. All times are ms of one clock. */
export type Sender = {
  /**
   * Takes a new value, measured at `t` and received at `now`; returns the sample to send at once,
   * if any.
   */
  offer: (value: Value, t: number, now?: number) => Sample | undefined
  /**
   * Returns a delayed sample that is now due, if any. Call it about once a second and when other
   * tags changed.
   */
  due: (now: number) => Sample | undefined
}

/** Look-up of another tag's last value, which a policy may watch. */
type ValueOf = (tagName: string) => Value | undefined

/**
 * Evaluator of one send policy. Any trigger sends if the conditions hold; a change within the
 * minimum interval is delayed, and the newest value is sent when the interval ends.
 */
export function createSender(policy: SendPolicy, valueOf: ValueOf = () => undefined): Sender {
  const watchers = (policy.triggers ?? []).map(watcherOf)
  let latest: Sample | undefined
  let fresh = false

  const watched = (tagName: string | undefined) =>
    tagName === undefined ? latest?.v : valueOf(tagName)

  const send = (now: number): Sample | undefined => {
    if (!latest || !holds(policy.conditions, watched)) return undefined
    for (const watcher of watchers) watcher.sent(now)
    const sample = fresh ? latest : { v: latest.v, t: now }
    fresh = false
    return sample
  }

  return {
    offer(v, t, now = t) {
      latest = { v, t }
      fresh = true
      // Every watcher must see the value, so no short circuit with `some`.
      const fired = watchers.filter((watcher) => watcher.observe(watched(watcher.tagName), t, now))
      return fired.length > 0 ? send(now) : undefined
    },
    due(now) {
      if (!latest) return undefined
      const at = latest.t
      const fired = watchers.filter((watcher) => {
        const other = watcher.tagName !== undefined
        if (other && watcher.observe(watched(watcher.tagName), at, now)) return true
        return watcher.due(now)
      })
      return fired.length > 0 ? send(now) : undefined
    },
  }
}

type Watched = (tagName: string | undefined) => Value | undefined

/**
 * Condition check. A band includes its ends; a value that is not a number is outside every band.
 */
function holds(condition: Condition | null | undefined, watched: Watched): boolean {
  if (!condition) return true
  if ('operands' in condition) {
    const { type, operands } = condition
    return type === 'and'
      ? operands.every((one) => holds(one, watched))
      : operands.some((one) => holds(one, watched))
  }
  const { low, high, tagName, type } = condition
  const value = watched(tagName)
  const inside = typeof value === 'number' && value >= low && value <= high
  return inside === (type === 'inband')
}
