import { applyInput } from './apply.ts'
import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import { type Occurrence, openOccurrence } from './occurrences.ts'
import { inputsBefore, valuesOf, withLateInput } from './ring.ts'
import type { Input } from './input.ts'
import { beforeAll, type Instance } from './state.ts'
import { logicOf, momentOf, trimmed, workOf } from './step.ts'
import { runTimers } from './timers.ts'
import { never } from './work.ts'

/**
 * Result of judging late values. `changes` are all of the alarm after `since`, and take the place of
 * those known; `open` is the alarm that was open then.
 */
export type Replayed = {
  instance: Instance
  since: number
  open: Occurrence | undefined
  changes: readonly Change[]
}

/**
 * Judges an input that is late, or of the same time as one that was judged, from the ring of the
 * instance. Undefined when it is older than the ring: then it is judged from the store.
 */
export function replayFromRing(
  rule: CompiledRule,
  instance: Instance,
  input: Input,
): Replayed | undefined {
  const { base } = instance
  if (input.t <= base.at && base.at !== beforeAll) return undefined
  const logic = logicOf(rule, input)
  const before = valuesOf(instance)
  const ring = logic ? withLateInput(before, logic) : before.slice()
  const work = workOf(rule, base)
  for (const one of inputsBefore(ring, ring.length)) applyInput(work, one)
  runTimers(work, instance.at)
  // It never goes back, so that what `step` does later is later than all that was done.
  work.at = Math.max(work.at, instance.at)
  keepWords(rule, work.newest.v, instance.newest.v)
  const due = work.due === never ? null : work.due
  const after = { ...momentOf(work), due, ...trimmed(rule, base, { ring, ringEnd: ring.length }) }
  const open = openOccurrence(rule, base.core)
  return { instance: after, since: base.at, open, changes: work.changes }
}

/** Values that only texts need are those that arrived last. */
function keepWords(
  { wordInputs, leavesOf }: CompiledRule,
  into: Instance['newest']['v'],
  from: typeof into,
) {
  for (const input of wordInputs) {
    if (leavesOf[input]?.length === 0) into[input] = from[input] ?? null
  }
}
