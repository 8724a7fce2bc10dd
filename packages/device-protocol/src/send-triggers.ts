import type { Trigger } from './configuration.ts'
import { isStructValue, type Value } from './value.ts'

/** Running trigger: it observes values and reports whether it fires. */
type Watcher = {
  tagName: string | undefined
  observe: (value: Value | undefined, t: number, now: number) => boolean
  due: (now: number) => boolean
  /** Called after a sample was sent, by this or another trigger. */
  sent: (now: number) => void
}

export function watcherOf(trigger: Trigger): Watcher {
  switch (trigger.type) {
    case 'timer':
      return timer(trigger.intervalMs)
    case 'onchange':
      return change(trigger, (value) => value)
    case 'fieldchange':
      return change(trigger, fieldOf(trigger.fieldName))
    case 'onlevel':
      return level(trigger, (value) => value)
    case 'fieldlevel':
      return level(trigger, fieldOf(trigger.fieldName))
  }
}

type Pick = (value: Value | undefined) => Value | undefined
type Change = Extract<Trigger, { type: 'onchange' | 'fieldchange' }>
type Level = Extract<Trigger, { type: 'onlevel' | 'fieldlevel' }>

const fieldOf =
  (name: string): Pick =>
  (value) =>
    isStructValue(value) && Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined

/** Trigger at every multiple of the interval; 0 means one second. */
function timer(intervalMs = 0): Watcher {
  const interval = intervalMs > 0 ? intervalMs : 1_000
  const turn = (now: number) => Math.floor(now / interval)
  let last: number | undefined
  return {
    tagName: undefined,
    // The interval in which the first value arrives is already under way.
    observe(_, __, now) {
      last ??= turn(now) - 1
      return false
    },
    due: (now) => last !== undefined && turn(now) !== last,
    sent: (now) => (last = turn(now)),
  }
}

/**
 * Minimum pause of `minIntervalMs` between two samples. A clock that is set back does not extend
 * it.
 */
function pause(minIntervalMs = 0) {
  let sentAt: number | undefined
  return {
    over: (now: number) => sentAt === undefined || now - sentAt >= minIntervalMs || now < sentAt,
    begin: (now: number) => (sentAt = now),
  }
}

function change(trigger: Change, pick: Pick): Watcher {
  const { tagName, changeMask = 'value' } = trigger
  const byTime = changeMask.includes('timestamp')
  const interval = pause(trigger.minIntervalMs)
  let skips = trigger.skipFirstNChanges ?? 0
  let current: { value: Value | undefined; t: number } | undefined
  let reference: typeof current
  let waiting = false
  return {
    tagName,
    observe(whole, t, now) {
      const value = pick(whole)
      if (value === undefined) return false
      current = { value, t }
      const changed =
        !reference || differs(reference.value, value, trigger) || (byTime && t !== reference.t)
      if (changed && skips > 0) {
        skips -= 1
        reference = current
        return false
      }
      waiting = changed
      return waiting && interval.over(now)
    },
    due: (now) => waiting && interval.over(now),
    sent(now) {
      interval.begin(now)
      waiting = false
      if (skips === 0) reference = current
    },
  }
}

/** Deadband check: difference above the deadband, absolute or in percent of the last sent value. */
function differs(
  before: Value | undefined,
  after: Value,
  { deadband, deadbandPercent }: Picked<Change, 'deadband' | 'deadbandPercent'>,
) {
  if (typeof before === 'number' && typeof after === 'number') {
    const band =
      deadbandPercent === undefined ? (deadband ?? 0) : (Math.abs(before) * deadbandPercent) / 100
    return Math.abs(after - before) > band
  }
  return typeof after === 'object' ? !sameText(before, after) : before !== after
}
type Picked<T, K extends keyof T> = { [P in K]: T[P] }

const sameText = (one: Value | undefined, other: Value) =>
  JSON.stringify(one) === JSON.stringify(other)

/**
 * Level trigger: entering means reaching the level, leaving means falling below it by more than the
 * deadband.
 */
function level(trigger: Level, pick: Pick): Watcher {
  const { tagName, mode } = trigger
  const interval = pause(trigger.minIntervalMs)
  const wanted = (inside: boolean) =>
    mode === undefined || mode === '' || mode.includes(inside ? 'enter' : 'exit')
  let skips = trigger.skipFirstNChanges ?? 0
  let inside = false
  let waiting = false
  return {
    tagName,
    observe(whole, _, now) {
      const value = pick(whole)
      if (value === undefined) return false
      const before = inside
      inside = isInside(value, before, trigger)
      if (inside !== before && wanted(inside)) {
        if (skips > 0) skips -= 1
        else waiting = true
      }
      return waiting && interval.over(now)
    },
    due: (now) => waiting && interval.over(now),
    sent(now) {
      interval.begin(now)
      waiting = false
    },
  }
}

function isInside(value: Value, before: boolean, trigger: Level) {
  if (trigger.levelString !== undefined) return value === trigger.levelString
  const { level: limit = 0, deadband, deadbandPercent } = trigger
  if (typeof value !== 'number') return value === true
  const band =
    deadbandPercent === undefined ? (deadband ?? 0) : (Math.abs(limit) * deadbandPercent) / 100
  return before ? value >= limit - band : value >= limit
}
