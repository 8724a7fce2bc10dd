import { applyInput, newestWithoutEffect, setNewest } from './apply.ts'
import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import { entriesBeyond, inputsBefore, type Ring, withInput } from './ring.ts'
import type { Input } from './input.ts'
import { type Instance, type Moment, type Newest, sharedCore } from './state.ts'
import { nextDue } from './timers.ts'
import { never, type Work } from './work.ts'

/** State after an input, and what changed; `isLate`: the input was older and was not judged. */
export type Stepped = { instance: Instance; changes: readonly Change[]; isLate: boolean }

/**
 * Judges values of one time, or the time alone (timers due until then run first). An input that is
 * older than what was judged changes nothing: `replayFromRing` judges it.
 */
export function step(rule: CompiledRule, instance: Instance, input: Input): Stepped {
  const { t, values, awaySince } = input
  const isTimeOnly = values.length === 0 && awaySince === undefined
  if (isTimeOnly && (instance.due ?? never) > t) return { instance, changes: [], isLate: false }
  const logic = isTimeOnly ? input : logicOf(rule, input)
  if (isOlder(instance, t) && !isTimeOnly)
    return { instance, changes: [], isLate: logic !== undefined }
  if (!logic) return { instance: withWords(rule, instance, input), changes: [], isLate: false }
  if (isTimeOnly) return withTimers(rule, instance, input)
  const newest = newestWithoutEffect(rule, instance, input)
  return newest
    ? { instance: goneOn(rule, instance, { t, newest, logic }), changes: [], isLate: false }
    : judged(rule, instance, { input, logic })
}

/** Instance after the timers that are due until a time. */
function withTimers(rule: CompiledRule, instance: Instance, input: Input): Stepped {
  const work = workOf(rule, instance, instance.due ?? never)
  applyInput(work, input)
  const after = { ...instance, ...momentOf(work), due: dueOf(work) }
  return { instance: after, changes: work.changes, isLate: false }
}

type Given = { input: Input; logic: Input }

function judged(rule: CompiledRule, instance: Instance, { input, logic }: Given): Stepped {
  const work = workOf(rule, instance, instance.due ?? never)
  applyInput(work, input)
  const kept = trimmed(rule, instance.base, withInput(instance, logic))
  const after = { ...momentOf(work), due: dueOf(work), ...kept }
  return { instance: after, changes: work.changes, isLate: false }
}

const dueOf = ({ due }: Work) => (due === never ? null : due)

type Quiet = { t: number; newest: Newest; logic: Input }

/** Instance after an input that changed nothing but its values. */
function goneOn(rule: CompiledRule, before: Instance, { t, newest, logic }: Quiet): Instance {
  const { core, due } = before
  const { base, ring, ringEnd } = trimmed(rule, before.base, withInput(before, logic))
  return { at: t, newest, core, due, base, ring, ringEnd }
}

/**
 * True for a time that was judged already, by values or by a timer. Thus what `step` changes is
 * later than all changes before, and no occurrence begins twice at one time.
 */
const isOlder = ({ at }: Instance, t: number) => t <= at

/** Instance with new values that only texts need; its time does not go on by them. */
function withWords(rule: CompiledRule, instance: Instance, { t, values }: Input): Instance {
  const newest = copyOfNewest(instance.newest)
  for (const given of values) if (given[0] in rule.inputs) setNewest(newest, t, given)
  return { ...instance, newest }
}

/** Part of an input that the logic needs; the rest is for texts. */
export function logicOf({ leavesOf, hasOnlyLogic }: CompiledRule, input: Input): Input | undefined {
  if (hasOnlyLogic) return input
  const values = input.values.filter(([index]) => (leavesOf[index]?.length ?? 0) > 0)
  if (values.length === input.values.length) return input
  return values.length > 0 || input.awaySince !== undefined ? { ...input, values } : undefined
}

/** Ring whose end is that of its list. */
type Whole = { ring: Ring; ringEnd: number }

/** Ring without what is too old for it; the base moves on by the inputs that leave. */
export function trimmed(rule: CompiledRule, before: Moment, { ring, ringEnd }: Whole) {
  const gone = entriesBeyond(ring)
  if (gone === 0) return { base: before, ring, ringEnd }
  const work = workOf(rule, before)
  for (const input of inputsBefore(ring, gone)) applyInput(work, input)
  const left = ring.slice(gone)
  return { base: momentOf(work), ring: left, ringEnd: left.length }
}

/** Copy of a moment to be changed in place; its logic is copied when it changes. */
export function workOf(rule: CompiledRule, { at, newest, core }: Moment, due?: number): Work {
  const copy = copyOfNewest(newest)
  const work: Work = { rule, at, newest: copy, core, due: due ?? 0, isChanged: false, changes: [] }
  if (due === undefined) work.due = nextDue(work)
  return work
}

/** Moment of a copy. */
export const momentOf = ({ rule, at, newest, core, isChanged }: Work): Moment => ({
  at,
  newest,
  core: isChanged ? sharedCore(rule, core) : core,
})

const copyOfNewest = ({ v, bad, past }: Newest): Newest =>
  past ? { v: v.slice(), bad, past: past.slice() } : { v: v.slice(), bad }
