import type { Change } from '@longreach/rules/change'
import type { FastifyBaseLogger } from 'fastify'
import type { Arrived, Judged } from '../devices/device.ts'
import type { Outcome } from './rule-outcome.ts'
import { alarmInputs, judgeGathered, judgeInput, type Judging } from './rule-steps.ts'
import { RuleTimers } from './rule-timers.ts'
import { type Flush, RuleValues } from './rule-values.ts'

/** Value of an input that is no path: a connection. */
export type OtherInput = { judged: Judged; t: number; input: number; v: boolean }

/** All that came since the round before. */
type Came = {
  flushes: readonly Flush[]
  /** Values of devices that are no longer busy. */
  ready: readonly Arrived[]
  inputs: readonly OtherInput[]
}

/** Judging of values and timers in memory, in rounds. */
export class RuleJudging {
  private readonly values: RuleValues
  private readonly timers = new RuleTimers()
  private readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  constructor(log: Pick<FastifyBaseLogger, 'warn' | 'error'>) {
    this.log = log
    this.values = new RuleValues(({ device, leaf }) => {
      const about = { device: device.id, path: leaf.path }
      log.warn(about, 'too many values are ahead of the clock; rules do not judge this one')
    })
  }

  /** Time of the server at which there is something to judge without new values. */
  get next() {
    return Math.min(this.timers.next ?? Infinity, this.values.ahead.next ?? Infinity)
  }

  /** Judges all that came, and the timers that are due. */
  async round(outcome: Outcome, now: number, { flushes, ready, inputs }: Came) {
    const { values } = this
    for (const arrived of values.ahead.take(now)) values.take({ ...arrived, at: now })
    for (const arrived of ready) values.take(arrived)
    for (const { judged, t, input, v } of inputs) values.add(judged, t, [input, v])
    await values.takeFlushes(flushes)
    for (const judged of values.takeTimed()) this.setTimer(judged)
    this.judgeTouched(outcome, now)
    this.runTimers(outcome, now)
    this.judgeTouched(outcome, now)
  }

  setTimer(judged: Judged) {
    const { due, rule, of } = judged
    if (due === null) return
    this.timers.set(judged, rule.isByArrival ? due : of.clock.serverTimeOf(due))
  }

  private judgeTouched(outcome: Outcome, now: number) {
    const { values } = this
    const judging = { outcome, now, changed: this.changed }
    for (let touched = values.takeTouched(); touched.length > 0; touched = values.takeTouched()) {
      for (const judged of touched) {
        this.guard(judged, judgeGathered, judging)
        this.setTimer(judged)
      }
    }
  }

  private runTimers(outcome: Outcome, now: number) {
    for (const judged of this.timers.take(now)) {
      const { of, state, rule } = judged
      // Timers of a busy device are set when it is ready.
      if (of.isBusy || of.judged.get(judged.key) !== judged) continue
      const t = rule.isByArrival ? now : of.clock.at(now)
      if (state.due !== null && t !== undefined && state.due <= t) {
        this.guard(judged, (one, about) => judgeInput(one, { t, values: [] }, about), {
          outcome,
          now,
          changed: this.changed,
        })
      } else if (judged.isStored) outcome.devices.add(of) // its due time has moved on
      this.setTimer(judged)
    }
  }

  /** Hands changes of an alarm to rules of the device that wait for it. */
  private readonly changed = (judged: Judged, changes: readonly Change[]) => {
    for (const { use, t, isActive } of alarmInputs(judged, changes)) {
      this.values.add(use.judged, t, [use.input, isActive])
    }
  }

  /** Keeps a rule that fails from stopping others. */
  private guard(
    judged: Judged,
    work: (judged: Judged, judging: Judging) => void,
    judging: Judging,
  ) {
    try {
      work(judged, judging)
    } catch (error) {
      const { rule, of } = judged
      this.log.error({ err: error, rule: rule.id, device: of.device.id }, 'a rule failed')
    }
  }
}
