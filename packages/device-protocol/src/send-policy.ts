import type { Condition, SendPolicy } from './configuration.ts'
import { watcherOf } from './send-triggers.ts'
import type { Sample, Value } from './value.ts'

/** Decides for one leaf which of its values are sent, and when. All times are ms of one clock. */
export type Sender = {
  /** A new value, true at `t`, seen at `now`: the sample to send at once, if any. */
  offer: (value: Value, t: number, now?: number) => Sample | undefined
  /** Call about once a second and when other tags changed: the sample whose time has come, if any. */
  due: (now: number) => Sample | undefined
}

/** The last value of another tag, which a policy may watch. */
type ValueOf = (tagName: string) => Value | undefined

/**
 * The evaluator of one send policy. Any trigger sends if the conditions hold; a change that came
 * sooner than the least interval waits, and the newest value goes when the interval is over.
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
      // Every watcher must see the value: no short cut with `some`.
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

/** A band holds its ends. A value that is no number is in no band, and so outside of every band. */
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
