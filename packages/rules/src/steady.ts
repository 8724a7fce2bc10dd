import { valueOf } from '@longreach/formula/convert'
import { staysSo } from './apply.ts'
import type { CompiledLeaf, CompiledRule } from './compiled.ts'
import type { Input } from './input.ts'
import { ringLimits, valuesOf, withInput } from './ring.ts'
import { allNumbers, type NumberRange } from './stays.ts'
import type { Instance } from './state.ts'
import { logicOf, trimmed } from './step.ts'

/**
 * Values of an input by which nothing begins or ends before the next timer is due: numbers from `low` to `high`
 * (none where `low` is above `high`), and one text or truth value.
 */
export type SteadyValues = {
  low: number
  high: number
  same: string | boolean | undefined
}

/** Range that no number is in. */
export const noValues: SteadyValues = { low: Infinity, high: -Infinity, same: undefined }

/** True for a rule with inputs that can have steady values: it compares the newest values, and counts none. */
export const canBeSteady = ({ leaves, keepsPast, inputs }: CompiledRule) =>
  !keepsPast.includes(true) &&
  inputs.every(({ kind }) => kind === 'path' || kind === 'alarm') &&
  leaves.every((leaf) => (leaf.kind === 'compare' ? !leaf.gate : leaf.kind === 'bad'))

/** Steady values of an input of an instance, as long as its logic stays as it is; they have a good quality. */
export function steadyValues(
  rule: CompiledRule,
  { newest, core }: Pick<Instance, 'newest' | 'core'>,
  input: number,
): SteadyValues {
  const { v, bad } = newest
  if (isUnknown(rule, { newest, core }, input)) return noValues
  const value = v[input] ?? null
  let [low, high] = allNumbers
  for (const index of rule.leavesOf[input] ?? []) {
    const leaf = rule.leaves[index]
    if (leaf?.kind === 'bad') continue
    if (!leaf || !staysSo(leaf, { core, v, bad }, index)) return noValues
    const [least, largest] = rangeOf(leaf, value, core.leaves[index * 2] === 1)
    low = Math.max(low, least)
    high = Math.min(high, largest)
  }
  const same = typeof value === 'string' || typeof value === 'boolean' ? value : undefined
  return { low, high, same }
}

/** True when any value of an input may change something: the one before is bad, counts too, or began no schedule. */
const isUnknown = (
  rule: CompiledRule,
  { newest, core }: Pick<Instance, 'newest' | 'core'>,
  input: number,
) =>
  newest.past !== undefined ||
  newest.bad[input] === 1 ||
  (rule.schedule !== undefined && !core.window)

/** Numbers by which a comparison stays: without a range of its own only the present one. */
function rangeOf(leaf: CompiledLeaf, value: unknown, isTrue: boolean): NumberRange {
  if (typeof value !== 'number') return [Infinity, -Infinity]
  return (leaf.kind === 'compare' ? leaf.stays?.(value, isTrue) : undefined) ?? [value, value]
}

/**
 * Instance after inputs in order of time that have steady values alone: its values, its time and its ring go on. The
 * ring begins after `until`, which is the time of one of the inputs when older ones are not known any more.
 */
export function afterSteady(
  rule: CompiledRule,
  before: Instance,
  inputs: readonly Input[],
  until = -Infinity,
): Instance {
  const { core, due, newest } = before
  const { bad } = newest
  const v = newest.v.slice()
  const moment = { at: before.at, newest: { v, bad }, core }
  const given = inputs.map((input) => ({ input, logic: logicOf(rule, input) }))
  const last = lastBeyond(given.flatMap(({ logic }) => logic ?? []))
  let { base } = before
  let kept: Parameters<typeof withInput>[0] = before
  for (const { input, logic } of given) {
    for (const [index, raw] of input.values) v[index] = valueOf(raw)
    if (!logic) continue
    moment.at = input.t
    if (input.t > Math.max(until, last)) kept = withInput(kept, logic)
    else {
      base = { at: input.t, newest: { v: v.slice(), bad }, core }
      kept = { ring: [] }
    }
  }
  const ring = valuesOf(kept)
  return { ...moment, due, ...trimmed(rule, base, { ring, ringEnd: ring.length }) }
}

/** Time of the last input that a ring does not reach. */
function lastBeyond(inputs: readonly Input[]) {
  const newest = inputs.at(-1)?.t ?? 0
  const beyond = inputs.findLast(
    ({ t }, index) => index < inputs.length - ringLimits.values || t <= newest - ringLimits.ms,
  )
  return beyond?.t ?? -Infinity
}
