import { isAhead, WaitingValues } from '@longreach/rules/device-clock'
import { createTimeSlicer } from '@longreach/kit/time-slices'
import type { Point } from '@longreach/telemetry/store'
import type {
  Arrived,
  DeviceRules,
  DurableValues,
  Judged,
  RuleUse,
  SteadyGroup,
  SteadyPath,
  Target,
} from '../devices/device.ts'
import { inputValue } from './device-inputs.ts'

/** Values that became durable together; `at` is the server's time. */
export type Flush = { values: DurableValues; at: number; version: number }

/** Rows between two looks at the clock. */
const sliceRows = 1_000
/** Values that a device keeps while it is loaded; beyond them only the oldest time is known. */
const mostWaiting = 10_000

/**
 * Hands values to the inputs of rules: an instance gathers those of a round. Values that are far ahead of the
 * clock of the server wait for their time, and those of a busy device until it is ready.
 */
export class RuleValues {
  readonly ahead = new WaitingValues<Arrived>()
  /** Instances with values. */
  private touched: Judged[] = []
  private readonly onTooMany: (target: Target) => void
  /** Groups with timers that have kept values: the clock of the device has gone on. */
  private readonly timed = new Set<SteadyGroup>()
  constructor(onTooMany: (target: Target) => void) {
    this.onTooMany = onTooMany
  }

  /** Instances with timers that have not judged their values since the last time. */
  takeTimed(): Judged[] {
    const all = [...this.timed].flatMap((group) => group.all)
    this.timed.clear()
    return all
  }

  /** Instances that have gathered values since the last time. */
  takeTouched(): Judged[] {
    const { touched } = this
    this.touched = []
    return touched
  }

  /** Takes flushes, in slices that let other work of the process run. */
  async takeFlushes(flushes: readonly Flush[]) {
    const turn = createTimeSlicer()
    for (const flush of flushes) {
      for (let from = 0; from < flush.values.targets.length; from += sliceRows) {
        this.takeRows(flush.values, from, flush)
        if (turn.isLong()) await turn.next()
      }
    }
  }

  private takeRows({ targets, t, v, q, quiet }: DurableValues, from: number, flush: Flush) {
    const end = Math.min(targets.length, from + sliceRows)
    const { at, version } = flush
    for (let row = from; row < end; row += 1) {
      const target = targets[row]
      if (!target || quiet?.has(row) === true) continue
      const time = t[row] ?? 0
      const value = v[row] ?? null
      const grade = q[row] ?? 0
      // Nearly every value: no more is looked at than this.
      const isDone = grade === 0 && !isAhead(time, at) && this.takeSteady(target, time, value, at)
      if (isDone || !target.device.rules) continue
      this.take({ target, point: { t: time, v: value, q: grade }, at, version })
    }
  }

  /** Keeps a value that changes nothing for its instances; false when it has to be judged. */
  private takeSteady({ steady }: Target, t: number, v: Point['v'], at: number) {
    if (!steady?.take(t, v)) return false
    steady.clock.take(t, at)
    if (steady.isTimed) this.timed.add(steady.group)
    for (const use of steady.otherUses) this.give(use, { t, v, q: 0 }, at)
    return true
  }

  take(arrived: Arrived) {
    const { target, point, at } = arrived
    const { rules } = target.device
    if (!rules) return
    if (rules.isBusy) keepWaiting(rules, arrived)
    else if (!isAhead(point.t, at)) this.takeNow(target, point, at)
    else if (!this.ahead.add(point.t, arrived)) this.onTooMany(target)
  }

  private takeNow(target: Target, point: Point, at: number) {
    const { rules } = target.device
    if (!rules) return
    rules.clock.take(point.t, at)
    const { steady, ruleUses } = target
    if (steady && this.isSteady(steady, point)) {
      for (const use of steady.otherUses) this.give(use, point, at)
      return
    }
    if (ruleUses) for (const use of ruleUses) this.give(use, point, at)
    for (const use of rules.anyArrival) this.give(use, point, at)
  }

  /** True for a value that changes nothing for the instances of a group, which is kept for them. */
  private isSteady(steady: SteadyPath, { t, v, q }: Point) {
    if (q !== 0) return false
    if (!steady.take(t, v) && !(steady.group.open() && steady.take(t, v))) return false
    if (steady.isTimed) this.timed.add(steady.group)
    return true
  }

  private give({ judged, input, field }: RuleUse, { t, v, q }: Point, at: number) {
    const value = field === undefined && typeof v !== 'object' ? v : inputValue(v, field)
    // By arrival, time goes on with each round.
    this.add(judged, judged.rule.isByArrival ? Math.max(at, judged.state.at + 1) : t, [
      input,
      value,
      q,
    ])
  }

  /** Gives an instance a value of one of its inputs. */
  add(judged: Judged, t: number, given: Judged['values'][number]) {
    judged.steady?.close()
    if (judged.values.length > 0) {
      judged.times.push(t)
      judged.values.push(given)
      return
    }
    this.touched.push(judged)
    // One value in most rounds: these lists are as long as that.
    judged.times = [t]
    judged.values = [given]
  }
}

/** Keeps a value of a busy device. Where they are too many, all are judged from the store once it is ready. */
function keepWaiting(rules: DeviceRules, arrived: Arrived) {
  rules.waiting.push(arrived)
  if (rules.waiting.length <= mostWaiting) return
  for (const { point } of rules.waiting) {
    rules.overflowSince = Math.min(point.t, rules.overflowSince ?? point.t)
  }
  rules.waiting = []
}
