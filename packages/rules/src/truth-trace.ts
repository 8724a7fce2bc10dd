import type { CompiledRule } from './compiled.ts'
import { type Tree, treeTruth } from './condition-tree.ts'
import { type Core, leafTruth } from './state.ts'

/**
 * State of a condition: false, true but not yet for its time, true for its time, unknown, or several
 * of these that were each too short to be told apart.
 */
type TruthState = 'no' | 'waits' | 'yes' | 'unknown' | 'several'

/** Stretch (ms) in which a condition was in one state; a change of a moment takes none. */
export type TruthSpan = { from: number; to: number; state: TruthState }

/** Stretch in which one part of a condition alone was missing, with the leaves of that part. */
type OneShort = { from: number; to: number; leaves: readonly number[] }

type Traced = { rule: CompiledRule; core: Core }
type Range = { from: number; to: number }

/** Spans of one condition in a range, at most four for each of its `parts`. */
const parts = 100
const mostShort = 20

/** Truth of each condition over a time, and the times at which one alone was missing; a trial collects them. */
export class TruthTrace {
  private readonly spans: TruthSpan[][] = []
  private readonly present: TruthSpan[] = []
  private readonly shorts: OneShort[] = []
  private short: OneShort | undefined
  private readonly range: Range
  private readonly leastMs: number
  constructor(range: Range) {
    this.range = range
    this.leastMs = (range.to - range.from) / parts
  }

  /** Takes the states at a time, after what was judged then. */
  note({ rule, core }: Traced, t: number): void {
    const stateOf = (leaf: number) => stateAt({ rule, core }, leaf, t)
    for (let leaf = 0; leaf < rule.leaves.length; leaf += 1) this.noteState(leaf, stateOf(leaf), t)
    this.noteShort(missingIn({ rule, core }, stateOf), t)
  }

  /** Spans of each leaf, and the longest times at which one condition alone was missing, in order. */
  finish(until: number) {
    for (const [leaf, { state }] of this.present.entries()) this.close(leaf, state, until)
    this.noteShort(this.short?.leaves, until)
    return {
      leaves: this.present.map((_, leaf) => this.spans[leaf] ?? []),
      oneShort: this.shorts.toSorted((one, other) => one.from - other.from),
    }
  }

  private noteState(leaf: number, state: TruthState, t: number) {
    this.present[leaf] ??= { from: this.range.from, to: this.range.to, state: 'unknown' }
    if (this.present[leaf].state !== state) this.close(leaf, state, t)
  }

  /** Ends the present state of a leaf; short ones behind each other become one of several. */
  private close(leaf: number, next: TruthState, at: number) {
    const t = Math.max(this.range.from, at)
    const { from = t, state = next } = this.present[leaf] ?? {}
    const list = (this.spans[leaf] ??= [])
    const before = list.at(-1)
    const isBeforeAll = t === this.range.from
    const isShort = t - from < this.leastMs
    if (isShort && !isBeforeAll && before && this.isShort(before)) {
      before.to = t
      before.state = 'several'
    } else if (!isBeforeAll) list.push({ from, to: t, state })
    this.present[leaf] = { from: t, to: this.range.to, state: next }
  }

  private isShort({ from, to, state }: TruthSpan) {
    return state === 'several' || to - from < this.leastMs
  }

  /** Takes the leaves of the one part that is missing; undefined when none or more are, null when all hold. */
  private noteShort(leaves: readonly number[] | undefined | null, t: number) {
    const { short } = this
    if (short !== undefined && short.leaves[0] === leaves?.[0] && t < this.range.to) return
    if (short !== undefined && leaves !== null && t > this.range.from) {
      this.keepShort({ ...short, from: Math.max(short.from, this.range.from), to: t })
    }
    this.short = leaves ? { from: t, to: t, leaves } : undefined
  }

  private keepShort(one: OneShort) {
    this.shorts.push(one)
    if (this.shorts.length <= mostShort) return
    const lengths = this.shorts.map(({ from, to }) => to - from)
    this.shorts.splice(lengths.indexOf(Math.min(...lengths)), 1)
  }
}

function stateAt({ rule, core }: Traced, index: number, t: number): TruthState {
  const truth = core.leaves[index * 2] ?? leafTruth.unknown
  if (truth >= leafTruth.unknown) return 'unknown'
  if (truth === leafTruth.no) return 'no'
  const leaf = rule.leaves[index]
  const isTimed = leaf?.kind === 'compare'
  return isTimed && (core.leaves[index * 2 + 1] ?? 0) + leaf.forMs > t ? 'waits' : 'yes'
}

/** Leaves of the only part of an AND that does not hold; null when all hold. */
function missingIn({ rule }: Traced, stateOf: (leaf: number) => TruthState) {
  const tree = rule.signals[0]?.tree
  if (typeof tree !== 'object' || tree.op !== 'all' || tree.parts.length < 2) return undefined
  const truthOf = (leaf: number) => {
    const state = stateOf(leaf)
    return state === 'unknown' ? null : state === 'yes'
  }
  const missing = tree.parts.filter((part) => treeTruth(part, truthOf) !== true)
  if (missing.length === 0) return null
  return missing.length === 1 ? leavesIn(missing[0] ?? []) : undefined
}

const leavesIn = (tree: Tree | readonly Tree[]): number[] => {
  if (typeof tree === 'number') return [tree]
  if (!('op' in tree)) return tree.flatMap((part) => leavesIn(part))
  return tree.op === 'not' ? leavesIn(tree.part) : tree.parts.flatMap((part) => leavesIn(part))
}
