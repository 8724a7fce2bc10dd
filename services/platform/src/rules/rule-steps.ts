import type { Change } from '@longreach/rules/change'
import type { Given, Input } from '@longreach/rules/input'
import { replayFromRing } from '@longreach/rules/late'
import { step } from '@longreach/rules/step'
import type { Judged, RuleUse } from '../devices/device.ts'
import { isWorthWriting, type Outcome } from './rule-outcome.ts'
import { almostOf, changesSince } from './trigger-firing.ts'

export type Judging = {
  outcome: Outcome
  /** Time of the server. */
  now: number
  /** The rule has just been loaded: what triggers say of it may have been before they were saved. */
  isLoading?: true
  /** Told of each instance with changes, whose alarms others may wait for. */
  changed?: (judged: Judged, changes: readonly Change[]) => void
}

/** Gathered values of all instances that have none. */
const nothing: never[] = []

/** Judges the values that an instance has gathered in this round, those of one time together. */
export function judgeGathered(judged: Judged, judging: Judging): void {
  const { times, values } = judged
  judged.times = nothing
  judged.values = nothing
  if (values.length === 1) {
    judgeInput(judged, { t: times[0] ?? 0, values }, judging)
    return
  }
  for (const input of inputsOf(times, values)) judgeInput(judged, input, judging)
}

/** Inputs in order of time; of two values of one path at one time the later counts. */
export function inputsOf(times: readonly number[], values: readonly Given[]): Input[] {
  const order = times.map((_, index) => index)
  if (times.some((t, index) => index > 0 && t < (times[index - 1] ?? t))) {
    order.sort((one, other) => (times[one] ?? 0) - (times[other] ?? 0))
  }
  const inputs: { t: number; values: Given[] }[] = []
  for (const index of order) {
    const t = times[index] ?? 0
    const given = values[index]
    if (!given) continue
    const last = inputs.at(-1)
    if (last?.t !== t) inputs.push({ t, values: [given] })
    else {
      const same = last.values.findIndex(([input]) => input === given[0])
      if (same === -1) last.values.push(given)
      else last.values[same] = given
    }
  }
  return inputs
}

/** Judges one input, from the ring of the instance when it is late; what is older is noted for later. */
export function judgeInput(judged: Judged, input: Input, judging: Judging): void {
  const before = judged.state
  const { instance: state, changes, isLate } = step(judged.rule.compiled, before, input)
  if (isLate) {
    judgeLate(judged, input, judging)
    return
  }
  judged.state = state
  if (judged.rule.trigger && changes.length === 0 && !judging.isLoading) {
    const almost = almostOf(judged, before, input, judging.now)
    if (almost) judging.outcome.tellAlmost(judged, almost)
  }
  if (changes.length > 0) {
    const told = judging.isLoading ? changesSince(judged, changes) : changes
    judging.outcome.publish(judged, told, { heardAt: judging.now, cause: input })
    judging.changed?.(judged, changes)
    judging.outcome.note(judged)
  } else if (isWorthWriting(judged, before)) judging.outcome.note(judged)
}

function judgeLate(judged: Judged, input: Input, { outcome, now, changed }: Judging) {
  const { compiled } = judged.rule
  const replayed = replayFromRing(compiled, judged.state, input)
  if (!replayed) {
    outcome.judgeAgain(judged, input.t)
    return
  }
  const known = replayFromRing(compiled, judged.state, { t: input.t, values: [] })
  judged.state = replayed.instance
  outcome.note(judged)
  if (JSON.stringify(known?.changes) === JSON.stringify(replayed.changes)) return
  const { since, open } = replayed
  outcome.publish(judged, replayed.changes, {
    heardAt: now,
    again: { since, ...(open && { open }) },
  })
  changed?.(judged, replayed.changes)
}

/** Inputs of other rules that wait for the alarm of one: true while an instance of it is active. */
export function alarmInputs({ of, rule, instance }: Judged, changes: readonly Change[]) {
  const uses = of.alarms.get(rule.id) ?? []
  return uses.flatMap((use): { use: RuleUse; t: number; isActive: boolean }[] => {
    if (use.judged.instance !== '' && instance !== '' && use.judged.instance !== instance) return []
    return changes.flatMap((change) => {
      if (change.kind === 'raise') return [{ use, t: change.t, isActive: true }]
      if (change.kind !== 'return') return []
      return [{ use, t: change.t, isActive: isOpenBeside(use, { of, rule, instance }) }]
    })
  })
}

/** True when another instance of a rule is open that an input waits for too. */
const isOpenBeside = (
  { judged: { instance: item } }: RuleUse,
  one: Pick<Judged, 'of' | 'rule' | 'instance'>,
) =>
  item === '' &&
  [...one.of.judged.values()].some(
    ({ rule, instance, state }) =>
      rule.id === one.rule.id && instance !== one.instance && state.core.open !== undefined,
  )
