import { announce } from './announce.ts'
import { treeTruth } from './condition-tree.ts'
import type { CompiledLeaf, Signal } from './compiled.ts'
import { beforeAll, leafTruth } from './state.ts'
import { never, ownCore, type Work } from './work.ts'

type Timed = Pick<Work, 'rule' | 'core' | 'at'>

/** Next time at which a leaf changes by itself, after `at`. */
function nextLeafDue({ rule, core, at }: Timed): number {
  let due = never
  for (let index = 0; index < rule.leaves.length; index += 1) {
    const leaf = rule.leaves[index]
    const truth = core.leaves[index * 2]
    const end = (core.leaves[index * 2 + 1] ?? 0) + (leaf?.forMs ?? 0)
    if (end >= due || !leaf) continue
    if (leaf.kind === 'compare') {
      if (truth === leafTruth.yes && end > at) due = end
    } else if (isTurning(leaf.kind, truth, core.leaves[index * 2 + 1])) due = end
  }
  return due
}

/** Next timer of a moment: of leaves, delays, a held return or the schedule. */
export function nextDue(work: Timed): number {
  const { rule, core } = work
  let due = Math.min(nextLeafDue(work), core.heldUntil ?? never, core.window?.[1] ?? never)
  for (let index = 0; index < rule.signals.length; index += 1) {
    const truth = core.signals[index * 2]
    if (truth !== 1 && truth !== 2) continue
    const signal = rule.signals[index]
    const delay = (truth === 1 ? signal?.onMs : signal?.offMs) ?? 0
    due = Math.min(due, (core.signals[index * 2 + 1] ?? 0) + delay)
  }
  return due
}

/** Runs all timers that are due until a time, each at its own time. */
export function runTimers(work: Work, until: number): void {
  while (work.due <= until) {
    const t = work.due
    const { window } = ownCore(work)
    turnLeaves(work, t)
    if (window && (window[1] ?? never) <= t) turnWindow(work, t)
    work.at = Math.max(work.at, t)
    judge(work, t)
    work.due = nextDue(work)
  }
}

/** True for a leaf whose truth changes when its time is over: a change, and silence. */
const isTurning = (kind: CompiledLeaf['kind'], truth: number | undefined, since = beforeAll) =>
  kind === 'changed'
    ? truth === leafTruth.yes || (truth === leafTruth.unknown && since !== beforeAll)
    : kind === 'silence' && truth === leafTruth.no

/** Turns leaves whose time is over. */
function turnLeaves({ rule, core }: Work, t: number) {
  for (let index = 0; index < rule.leaves.length; index += 1) {
    const leaf = rule.leaves[index]
    const since = core.leaves[index * 2 + 1]
    if (!leaf || !isTurning(leaf.kind, core.leaves[index * 2], since)) continue
    const end = (since ?? 0) + leaf.forMs
    if (end > t) continue
    core.leaves[index * 2] = leaf.kind === 'silence' ? leafTruth.yes : leafTruth.no
    core.leaves[index * 2 + 1] = end
  }
}

/** Sets the window of the schedule that a time is in. */
export function turnWindow(work: Work, t: number) {
  const { schedule } = work.rule
  if (schedule) ownCore(work).window = [schedule.isOpen(t), schedule.nextEdge(t) ?? null]
}

/** Judges the condition with the present leaves, and announces what follows. */
export function judge(work: Work, t: number): void {
  ownCore(work)
  for (let index = 0; index < work.rule.signals.length; index += 1) judgeSignal(work, index, t)
  announce(work, t)
  work.trace?.note(work, t)
}

function judgeSignal(work: Work, index: number, t: number) {
  const { rule, core } = work
  const signal = rule.signals[index]
  if (!signal) return
  const isClosed = signal.isScheduled && core.window?.[0] === false
  const holds = isClosed ? false : treeTruth(signal.tree, (leaf) => leafTruthAt(work, leaf, t))
  const truth = core.signals[index * 2] ?? 0
  if (holds !== null && holds !== (truth % 2 === 1)) turnSignal(work, index, signal, t)
  const heldMs = t - (core.signals[index * 2 + 1] ?? 0)
  core.signals[index * 2] = delayed(core.signals[index * 2] ?? 0, heldMs, signal)
}

/** The condition of a signal begins or ends to hold; its delay begins. */
function turnSignal({ core, misses }: Work, index: number, { onMs }: Signal, t: number) {
  const truth = core.signals[index * 2] ?? 0
  const since = core.signals[index * 2 + 1] ?? t
  if (truth === 1) misses?.add({ t: since, heldMs: t - since, ofMs: onMs })
  core.signals[index * 2] = truth % 2 === 1 ? truth - 1 : truth + 1
  core.signals[index * 2 + 1] = t
}

/** Truth of a signal that has been so for some time: with its delay over, both parts are equal. */
function delayed(truth: number, heldMs: number, { onMs, offMs }: Signal) {
  if (truth === 1 && heldMs >= onMs) return 3
  return truth === 2 && heldMs >= offMs ? 0 : truth
}

function leafTruthAt({ rule, core }: Work, index: number, t: number): boolean | null {
  const truth = core.leaves[index * 2] ?? leafTruth.unknown
  if (truth >= leafTruth.unknown) return null
  if (truth === leafTruth.no) return false
  const leaf = rule.leaves[index]
  if (leaf?.kind !== 'compare') return true
  return (core.leaves[index * 2 + 1] ?? 0) + leaf.forMs <= t
}
