import type { FormulaValue } from '@longreach/formula/tree'
import type { CompiledRule, Past } from './compiled.ts'
import type { Ring } from './ring.ts'

/** Truth of a leaf: false, true, and the same when its value is unknown at the moment. */
export const leafTruth = { no: 0, yes: 1, unknown: 2, unknownYes: 3 } as const

/**
 * State of the logic of an instance. `leaves` and `signals` hold two numbers for each: its truth,
 * and the time since which it is so. The truth of a signal is 1 when its condition holds, plus 2
 * when its delay is over.
 */
export type Core = {
  leaves: number[]
  signals: number[]
  /** Last value that a leaf compares changes with, and the changes that it still ignores. */
  refs?: ([FormulaValue, number] | null)[]
  /** Raised and not returned; `top` is its highest level, `count` the number of raises in it. */
  open?: { t: number; level: number; top: number; count: number }
  /** The alarm holds and `unless` hides it. */
  isHidden?: true
  /** Latest raises, for chatter. */
  raises?: number[]
  /** Time at which a held return is due. */
  heldUntil?: number
  /** Schedule: open, and the time of the next change. */
  window?: [isOpen: boolean, next: number | null]
}

/** Newest values of the inputs; `bad` is 1 for one of bad quality. */
export type Newest = { v: FormulaValue[]; bad: number[]; past?: (Past | null)[] }

/** Moment of an instance: all that is needed to judge what comes next. */
export type Moment = { at: number; newest: Newest; core: Core }

/**
 * State of one instance of a rule, as plain JSON. `at` is the time until which it is judged, `due`
 * the next timer. `base` is the moment before the inputs in `ring`, from which late values are
 * judged; it ends at `ringEnd`, if it has one, as a later state may share it.
 */
export type Instance = Moment & { due: number | null; base: Moment; ring: Ring; ringEnd?: number }

/** Time before all others. */
export const beforeAll = Number.MIN_SAFE_INTEGER

/** Beginnings by rule: states are copied when they change, so all instances share one. */
const beginnings = new WeakMap<CompiledRule, Omit<Moment, 'at'>>()

/** Instance that has no values yet; `at` is the time from which the rule is judged, if it has one. */
export function newInstance(rule: CompiledRule, at = beforeAll): Instance {
  const { newest, core } = beginnings.get(rule) ?? beginningOf(rule)
  return { at, newest, core, due: null, base: { at, newest, core }, ring: [] }
}

/** Values and logic before the first value. */
function beginningOf(rule: CompiledRule): Omit<Moment, 'at'> {
  const { inputs, leaves, signals, keepsPast } = rule
  const nothing = inputs.map(() => null)
  const newest: Newest = { v: nothing, bad: inputs.map(() => 0) }
  if (keepsPast.includes(true)) newest.past = nothing
  const core: Core = {
    leaves: leaves.flatMap(({ kind }) => [
      kind === 'bad' ? leafTruth.no : leafTruth.unknown,
      beforeAll,
    ]),
    signals: signals.flatMap(() => [0, beforeAll]),
  }
  beginnings.set(rule, { newest, core })
  return { newest, core }
}

/** Logic of instances of which no condition has ever held, by rule and truth of the leaves: they share it. */
const rests = new WeakMap<CompiledRule, Map<string, Core>>()

/** Logic that instances share where it is equal. */
export function sharedCore(rule: CompiledRule, core: Core): Core {
  if (!isAtRest(core)) return core
  const known = rests.get(rule) ?? new Map<string, Core>()
  rests.set(rule, known)
  const key = core.leaves.filter((_, at) => at % 2 === 0).join('')
  const shared = known.get(key) ?? core
  known.set(key, shared)
  return shared
}

const isAtRest = ({ leaves, signals, ...more }: Core) =>
  leaves.every((since, at) => at % 2 === 0 || since === beforeAll) &&
  signals.every((one, at) => one === (at % 2 === 0 ? 0 : beforeAll)) &&
  Object.values(more).every((one) => one === undefined)

/** True when nothing holds, nothing is pending and nothing is open: such a state is not kept. */
export const isNormal = ({ core }: Pick<Instance, 'core'>) =>
  core.open === undefined &&
  core.isHidden === undefined &&
  core.leaves.every((truth, at) => at % 2 === 1 || truth % 2 === 0) &&
  core.signals.every((truth, at) => at % 2 === 1 || truth === 0)
