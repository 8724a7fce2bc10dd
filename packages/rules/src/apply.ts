import { valueOf } from '@longreach/formula/convert'
import type { CompiledLeaf } from './compiled.ts'
import { type Core, type Given, type Input, leafTruth, type Newest } from './state.ts'
import { judge, nextDue, runTimers, turnWindow } from './timers.ts'
import type { Work } from './work.ts'

/** Quality from which a value is bad. */
const badQuality = 2

/** Judges the values of one time, after the timers that are due until then. */
export function applyInput(work: Work, { t, values, awaySince }: Input): void {
  if (work.rule.schedule && !work.core.window) {
    turnWindow(work, t)
    work.isChanged = true
    work.due = nextDue(work)
  }
  if (work.due <= (awaySince ?? t)) runTimers(work, awaySince ?? t)
  const isWaiting = awaySince !== undefined && waitAnew(work, t)
  if (t > work.at) work.at = t
  if (!setValues(work, t, values) && !isWaiting) return
  work.isChanged = true
  judge(work, t)
  work.due = nextDue(work)
  if (work.due <= t) runTimers(work, t)
}

/** Silence is counted from a time on; false when no leaf waits for it. */
function waitAnew({ rule, core }: Work, t: number) {
  let isWaiting = false
  for (const [index, { kind }] of rule.leaves.entries()) {
    if (kind !== 'silence' || core.leaves[index * 2] !== leafTruth.no) continue
    core.leaves[index * 2 + 1] = t
    isWaiting = true
  }
  return isWaiting
}

/** Takes values; true when the state of a leaf is another one than before. */
function setValues(work: Work, t: number, values: readonly Given[]) {
  for (const given of values) setNewest(work.newest, t, given)
  let isTouched = false
  for (const [input] of values) {
    for (const index of work.rule.leavesOf[input] ?? []) {
      const leaf = work.rule.leaves[index]
      if (leaf && setLeaf(work, index, leaf, t)) isTouched = true
    }
  }
  return isTouched
}

/** Takes the newest value of an input, and keeps the one before where a formula looks back. */
export function setNewest(newest: Newest, t: number, [input, raw, q = 0]: Given) {
  const v = valueOf(raw)
  const { past } = newest
  if (past && v !== null && q < badQuality) {
    const before = past[input]
    past[input] = before ? [before[2], before[3], t, v] : [t, null, t, v]
  }
  newest.v[input] = v
  newest.bad[input] = q >= badQuality ? 1 : 0
}

function setLeaf(work: Work, index: number, leaf: CompiledLeaf, t: number): boolean {
  const { core, newest } = work
  const isBad = leaf.inputs.some((input) => newest.bad[input] === 1)
  switch (leaf.kind) {
    case 'compare':
      return setComparison(work, index, isBad ? null : leaf, t)
    case 'changed':
      return !isBad && noteChange(work, index, leaf, t)
    case 'silence':
      core.leaves[index * 2 + 1] = t
      core.leaves[index * 2] = leafTruth.no
      return true
    case 'bad':
      return setTruth(core, index, isBad ? leafTruth.yes : leafTruth.no)
  }
}

type Comparison = Extract<CompiledLeaf, { kind: 'compare' }>

/** Takes the truth of a comparison; null is one that is unknown by its quality. */
function setComparison({ core, newest }: Work, index: number, leaf: Comparison | null, t: number) {
  const wasTrue = (core.leaves[index * 2] ?? leafTruth.unknown) % 2 === 1
  const truth = leaf && compared(leaf, newest, wasTrue)
  if (truth === null) {
    return setTruth(core, index, wasTrue ? leafTruth.unknownYes : leafTruth.unknown)
  }
  if (truth !== wasTrue) core.leaves[index * 2 + 1] = t
  return setTruth(core, index, truth ? leafTruth.yes : leafTruth.no)
}

function setTruth({ leaves }: Core, index: number, truth: number) {
  if (leaves[index * 2] === truth) return false
  leaves[index * 2] = truth
  return true
}

function compared(leaf: Comparison, { v, past = [] }: Newest, was: boolean) {
  const other = leaf.other === undefined ? null : (v[leaf.other] ?? null)
  return leaf.compare(leaf.read(v, past), other, was)
}

/**
 * Takes the value of a leaf that waits for changes. The first value is none: for `forMs` it is
 * unknown whether it changed before.
 */
function noteChange(
  { core, newest }: Work,
  index: number,
  { inputs, change }: Extract<CompiledLeaf, { kind: 'changed' }>,
  t: number,
) {
  const v = newest.v[inputs[0] ?? -1] ?? null
  if (v === null) return false
  core.refs ??= []
  const known = core.refs[index]
  const skips = known ? known[1] : change.skips
  if (!change.everyValue && (!known || !change.differs(known[0], v))) {
    if (known) return false
    core.refs[index] = [v, skips]
    core.leaves[index * 2 + 1] = t
    return true
  }
  core.refs[index] = [v, Math.max(0, skips - 1)]
  if (skips > 0) {
    core.leaves[index * 2] = leafTruth.no
    return true
  }
  core.leaves[index * 2] = leafTruth.yes
  core.leaves[index * 2 + 1] = t
  return true
}
