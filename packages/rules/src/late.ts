import { applyInput } from './apply.ts'
import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import { type Occurrence, openOccurrence } from './occurrences.ts'
import { beforeAll, type Given, type Input, type Instance } from './state.ts'
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
  const ring = logic ? merged(instance.ring, logic) : instance.ring
  const work = workOf(rule, base)
  for (const one of ring) applyInput(work, one)
  runTimers(work, instance.at)
  if (instance.at > work.at) work.at = instance.at
  keepWords(rule, work.newest.v, instance.newest.v)
  const due = work.due === never ? null : work.due
  const after = { ...momentOf(work, base), due, ...trimmed(rule, base, ring) }
  const open = openOccurrence(rule, base.core)
  return { instance: after, since: base.at, open, changes: work.changes }
}

/** Ring with one input more; values of one time are one input, the later of one path counts. */
function merged(ring: readonly Input[], input: Input): Input[] {
  const place = ring.findLastIndex(({ t }) => t <= input.t)
  const same = ring[place]
  if (same?.t !== input.t) return [...ring.slice(0, place + 1), input, ...ring.slice(place + 1)]
  const values = new Map<number, Given>()
  for (const given of [...same.values, ...input.values]) values.set(given[0], given)
  const one: Input = { ...same, ...input, values: [...values.values()] }
  return ring.with(place, one)
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
