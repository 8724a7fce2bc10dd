import type { FormulaValue } from '@longreach/formula/tree'
import type { Compare } from './compare.ts'
import type { Tree } from './condition-tree.ts'
import type { CompiledSchedule } from './schedule.ts'
import type { Stays } from './stays.ts'

/**
 * Input of a rule: values of a path, arrivals of a path (or of any path of the device), a
 * connection (true is connected), or another rule's alarm (true is active).
 */
export type RuleInput =
  | { kind: 'path'; path: string }
  | { kind: 'arrival'; path?: string }
  | { kind: 'connection'; source: 'IOT' | 'VPN' }
  | { kind: 'alarm'; rule: string }

/** Values before and now of an input, with their times. */
export type Past = readonly [t0: number, v0: FormulaValue, t1: number, v1: FormulaValue]

/** Value of a leaf from the newest values of the inputs. */
export type Read = (v: readonly FormulaValue[], past: readonly (Past | null)[]) => FormulaValue

/** Change that counts for a leaf: difference, or each value, and the number of those to ignore. */
export type ChangeRule = {
  differs: (before: FormulaValue, after: FormulaValue) => boolean
  everyValue: boolean
  skips: number
}

/** Transitions that a leaf ignores: the first ones, and for an exit what was outside at first. */
export type Gate = { skips: number; isExit: boolean }

/** Compiled comparison; `inputs` are indexes of the rule's inputs. */
export type CompiledLeaf = {
  inputs: readonly number[]
  forMs: number
} & (
  | {
      kind: 'compare'
      read: Read
      other?: number
      limit?: number | string
      compare: Compare
      /** Absent for a comparison of more than one value, or of a computed one. */
      stays?: Stays | undefined
      gate?: Gate
    }
  | { kind: 'changed'; change: ChangeRule }
  /** True when nothing arrived for `forMs`. */
  | { kind: 'silence' }
  /** True while an input has a value of bad quality. */
  | { kind: 'bad' }
)

/** Delayed truth of a tree: one for each level of the alarm, and one for `unless`. */
export type Signal = { tree: Tree; onMs: number; offMs: number; isScheduled: boolean }

/** Compiled rule; it keeps no state. */
export type CompiledRule = {
  inputs: readonly RuleInput[]
  leaves: readonly CompiledLeaf[]
  /** Leaves by input. */
  leavesOf: readonly (readonly number[])[]
  /** Levels, the lowest first; then `unless`, if there is one. */
  signals: readonly Signal[]
  severities: readonly number[]
  /** Leaf by level whose value and limit texts show. */
  shown: readonly number[]
  /** No input serves texts only. */
  hasOnlyLogic: boolean
  /** Inputs that texts name. */
  wordInputs: readonly number[]
  /** Inputs of formulas that look back. */
  keepsPast: readonly boolean[]
  /** Number of indexes `[*]` that its paths share; 0 for a rule with one instance. */
  stars: number
  /** Text of all that is judged, without delays, severities and texts: states of equal meaning live on. */
  meaning: string
  schedule?: CompiledSchedule
  chatter?: { max: number; withinMs: number }
}
