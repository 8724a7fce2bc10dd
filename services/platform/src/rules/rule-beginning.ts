import { type CompiledRule } from '@longreach/rules/compiled'
import { type Instance, isNormal, newInstance } from '@longreach/rules/state'
import { step } from '@longreach/rules/step'
import { inputsOf } from './rule-steps.ts'
import type { StoredValue } from './stored-inputs.ts'

/** Time from which a rule is judged again, and its state then. */
type Beginning = { from: number; instance: Instance }

/** Reach of a look back (ms): seven days. */
export const lookBackMs = 7 * 86_400_000
const leastLookBackMs = 60_000
/** Time for which the return of a chattering alarm is held. */
const heldMs = 60_000

/** Time in which all that came before a moment shows its effect, as far as delays go. */
function delaysOf({ signals, leaves, chatter }: CompiledRule) {
  const ofSignals = signals.map(({ onMs, offMs }) => onMs + offMs)
  const ofLeaves = leaves.map(({ forMs }) => forMs)
  const held = chatter ? chatter.withinMs + heldMs : 0
  return Math.max(leastLookBackMs, Math.max(...ofSignals) + Math.max(...ofLeaves) + held)
}

type Asked = {
  /** Time before which nothing has changed. */
  since: number
  /** State that the instance has now. */
  present: Instance
  /** Newest value of each input before a time. */
  before: (t: number) => Promise<StoredValue[]>
}

/**
 * Time before `since` at which the state of an instance follows from its values: nothing holds, and no dead-band
 * leaves it open; or its alarm was open since earlier. It is looked for further and further back.
 */
export async function findBeginning(rule: CompiledRule, asked: Asked): Promise<Beginning> {
  const { since, present, before } = asked
  for (let back = delaysOf(rule); ; back *= 4) {
    const from = since - Math.min(back, lookBackMs)
    const values = await before(from)
    const instance = judged(rule, newInstance(rule), values, from)
    if (
      isNormal(instance) &&
      isDecided(rule, instance, judged(rule, latched(rule), values, from))
    ) {
      return { from, instance }
    }
    const { open } = present.core
    if (open && open.t < from) return { from, instance: asOpened(instance, present, from) }
    if (back >= lookBackMs) return { from, instance }
  }
}

/** State after the newest values before a time, and the time until then. */
function judged(
  rule: CompiledRule,
  begun: Instance,
  values: readonly StoredValue[],
  from: number,
): Instance {
  let instance = begun
  const times = values.map(({ t }) => t)
  const given = values.map(({ input, v, q }) => [input, v, q] as const)
  for (const input of inputsOf(times, given)) instance = step(rule, instance, input).instance
  return step(rule, instance, { t: from - 1, values: [] }).instance
}

/** Instance whose comparisons hold until they are known not to. */
function latched(rule: CompiledRule): Instance {
  const instance = newInstance(rule)
  const leaves = instance.core.leaves.slice()
  for (const [index, { kind }] of rule.leaves.entries()) {
    if (kind === 'compare') leaves[index * 2] = 3
  }
  const core = { ...instance.core, leaves }
  return { ...instance, core, base: { ...instance.base, core } }
}

/** True when comparisons are the same whether or not they held before. */
const isDecided = (rule: CompiledRule, one: Instance, other: Instance) =>
  rule.leaves.every(
    ({ kind }, index) =>
      kind !== 'compare' ||
      (one.core.leaves[index * 2] ?? 0) === (other.core.leaves[index * 2] ?? 0) ||
      (one.core.leaves[index * 2] ?? 0) >= 2,
  )

/** State in which the present alarm was open already. */
function asOpened({ at, newest }: Instance, { core }: Instance, from: number): Instance {
  const early = (list: readonly number[]) =>
    list.map((one, place) => (place % 2 === 1 ? Math.min(one, from - 1) : one))
  const then = { ...core, leaves: early(core.leaves), signals: early(core.signals) }
  delete then.heldUntil
  const moment = { at, newest, core: then }
  return { ...moment, due: null, base: moment, ring: [] }
}
