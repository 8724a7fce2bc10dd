import { valueOf } from '@longreach/formula/convert'
import type { FormulaValue } from '@longreach/formula/tree'
import type { ChangeRule, CompiledLeaf, CompiledRule, Gate } from './compiled.ts'
import type { Given, Input } from './input.ts'
import { type Core, type Instance, leafTruth, type Newest } from './state.ts'
import { judge, nextDue, runTimers, turnWindow } from './timers.ts'
import { never, ownCore, type Work } from './work.ts'

/** Quality from which a value is bad. */
const badQuality = 2

/** Judges the values of one time, after the timers that are due until then. */
export function applyInput(work: Work, { t, values, awaySince }: Input): void {
  if (work.rule.schedule && !work.core.window) {
    turnWindow(work, t)
    work.due = nextDue(work)
  }
  const isAway = awaySince !== undefined
  const until = isAway ? awaySince : t
  if (work.due <= until) runTimers(work, until)
  const isWaiting = isAway && waitAnew(work, t)
  // Time alone is no value: what comes later with an earlier time is not late for it.
  if (values.length > 0 || isAway) work.at = Math.max(work.at, t)
  const isTouched = setValues(work, t, values)
  if (isTouched || isWaiting) judgeNow(work, t)
}

function judgeNow(work: Work, t: number) {
  judge(work, t)
  work.due = nextDue(work)
  if (work.due <= t) runTimers(work, t)
}

/** Silence is counted from a time on; false when no leaf waits for it. */
function waitAnew(work: Work, t: number) {
  let isWaiting = false
  for (const [index, { kind }] of work.rule.leaves.entries()) {
    if (kind !== 'silence' || work.core.leaves[index * 2] !== leafTruth.no) continue
    ownCore(work).leaves[index * 2 + 1] = t
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
  const bad = q >= badQuality ? 1 : 0
  if (newest.bad[input] !== bad) newest.bad = newest.bad.with(input, bad)
}

/**
 * Newest values after an input by which nothing begins or ends, as nearly all are; undefined when the logic has to
 * look at it.
 */
export function newestWithoutEffect(
  rule: CompiledRule,
  { newest, core, due }: Pick<Instance, 'newest' | 'core' | 'due'>,
  { t, values, awaySince }: Input,
): Newest | undefined {
  const isTimed = (due ?? never) <= t || awaySince !== undefined
  if (isTimed || newest.past || (rule.schedule && !core.window)) return undefined
  const v = newest.v.slice()
  for (const [input, raw, q = 0] of values) {
    if (q >= badQuality || newest.bad[input] === 1) return undefined
    v[input] = valueOf(raw)
  }
  const after = { core, v, bad: newest.bad }
  return values.every(([input]) => staySo(rule, input, after)) ? { v, bad: newest.bad } : undefined
}

type After = { core: Core; v: FormulaValue[]; bad: readonly number[] }

/** True when no leaf of an input is another one than before. */
function staySo({ leaves, leavesOf }: CompiledRule, input: number, after: After): boolean {
  for (const index of leavesOf[input] ?? []) {
    if (!staysSo(leaves[index], after, index)) return false
  }
  return true
}

/** True for a comparison that is after these values what it was before. */
export function staysSo(
  leaf: CompiledLeaf | undefined,
  { core, v, bad }: After,
  index: number,
): boolean {
  if (leaf?.kind !== 'compare' || leaf.gate) return false
  const truth = core.leaves[index * 2]
  if (truth !== leafTruth.no && truth !== leafTruth.yes) return false
  for (const input of leaf.inputs) if (bad[input] === 1) return false
  const other = leaf.other === undefined ? null : (v[leaf.other] ?? null)
  const wasTrue = truth === leafTruth.yes
  return leaf.compare(leaf.read(v, []), other, wasTrue) === wasTrue
}

function setLeaf(work: Work, index: number, leaf: CompiledLeaf, t: number): boolean {
  const isBad = hasBadInput(leaf, work.newest)
  switch (leaf.kind) {
    case 'compare':
      return setComparison(work, index, isBad ? null : leaf, t)
    case 'changed':
      return !isBad && noteChange(work, index, leaf, t)
    case 'silence':
      return setTruth(work, index, leafTruth.no, t)
    case 'bad':
      return setTruth(work, index, isBad ? leafTruth.yes : leafTruth.no)
  }
}

function hasBadInput({ inputs }: CompiledLeaf, { bad }: Newest) {
  for (let at = 0; at < inputs.length; at += 1) if (bad[inputs[at] ?? -1] === 1) return true
  return false
}

type Comparison = Extract<CompiledLeaf, { kind: 'compare' }>

/** Takes the truth of a comparison; null is one that is unknown by its quality. */
function setComparison(work: Work, index: number, leaf: Comparison | null, t: number) {
  const wasTrue = isLatched(work, index)
  const raw = leaf && compared(leaf, work.newest, wasTrue)
  if (leaf === null || raw === null) {
    return setTruth(work, index, wasTrue ? leafTruth.unknownYes : leafTruth.unknown)
  }
  const truth = leaf.gate && !wasTrue ? isAdmitted(work, index, leaf.gate, raw) : raw
  const next = truth ? leafTruth.yes : leafTruth.no
  if (truth === wasTrue) return setTruth(work, index, next)
  if (!truth) noteMiss(work, index, leaf.forMs, t)
  return setTruth(work, index, next, t)
}

const isLatched = ({ core }: Work, index: number) =>
  (core.leaves[index * 2] ?? leafTruth.unknown) % 2 === 1

/** Truth of a leaf behind a gate: its transitions are ignored as long as there are some to skip. */
function isAdmitted(work: Work, index: number, gate: Gate, truth: boolean) {
  const known = work.core.refs?.[index]
  const isIgnored = known ? known[0] === true : gate.isExit
  const skips = known ? known[1] : gate.skips
  if (truth && !isIgnored && skips === 0) return true
  const isSkipped = truth && !isIgnored
  setRef(work, index, [truth, isSkipped ? skips - 1 : skips])
  return false
}

/** Sets the truth of a leaf, and since when; false when both were so before. */
function setTruth(work: Work, index: number, truth: number, since?: number) {
  const { leaves } = work.core
  const isSame = since === undefined || leaves[index * 2 + 1] === since
  if (isSame && leaves[index * 2] === truth) return false
  const own = ownCore(work).leaves
  own[index * 2] = truth
  if (since !== undefined) own[index * 2 + 1] = since
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
function noteChange(work: Work, index: number, { inputs, change }: Changed, t: number) {
  const v = work.newest.v[inputs[0] ?? -1] ?? null
  const known = work.core.refs?.[index] ?? undefined
  if (!known && !change.everyValue) {
    if (v === null) return false
    setRef(work, index, [v, change.skips])
    return setTruth(work, index, leafTruth.unknown, t)
  }
  if (!change.everyValue && !isDifferent(change, known, v)) return false
  const skips = known ? known[1] : change.skips
  setRef(work, index, [v, Math.max(0, skips - 1)])
  if (skips > 0) setTruth(work, index, leafTruth.no)
  else setTruth(work, index, leafTruth.yes, t)
  return true
}

const isDifferent = (
  { differs }: ChangeRule,
  known: [FormulaValue, number] | undefined,
  v: FormulaValue,
) => v !== null && known !== undefined && differs(known[0], v)

type Changed = Extract<CompiledLeaf, { kind: 'changed' }>

function setRef(work: Work, index: number, ref: [FormulaValue, number]) {
  const core = ownCore(work)
  core.refs ??= []
  core.refs[index] = ref
}

/** Notes that a comparison ended before it held for its time. */
function noteMiss({ core, misses }: Work, index: number, ofMs: number, t: number) {
  const since = core.leaves[index * 2 + 1] ?? t
  if (t - since < ofMs) misses?.add({ t: since, heldMs: t - since, ofMs })
}
