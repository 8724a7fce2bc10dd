import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import type { Misses } from './misses.ts'
import type { Core, Moment } from './state.ts'
import type { TruthTrace } from './truth-trace.ts'

/**
 * Moment that is changed in place; `due` is its next timer, `isChanged` tells that its logic is
 * another one than before, and a copy of its own.
 */
export type Work = Moment & {
  rule: CompiledRule
  due: number
  isChanged: boolean
  changes: Change[]
  /** Delays that were broken, when a trial asks for them. */
  misses?: Misses
  /** States of the conditions over time, when a trial asks for them. */
  trace?: TruthTrace
}

/** Time of no timer. */
export const never = Infinity

/** Logic of a moment to be changed in place. */
export function ownCore(work: Work): Core {
  if (work.isChanged) return work.core
  const { core } = work
  const copy = { ...core, leaves: core.leaves.slice(), signals: core.signals.slice() }
  if (copy.refs) copy.refs = copy.refs.slice()
  work.isChanged = true
  work.core = copy
  return copy
}
