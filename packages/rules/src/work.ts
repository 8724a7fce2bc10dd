import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import type { Moment } from './state.ts'

/**
 * Moment that is changed in place; `due` is its next timer, `isChanged` tells that its logic is
 * another one than before.
 */
export type Work = Moment & {
  rule: CompiledRule
  due: number
  isChanged: boolean
  changes: Change[]
}

/** Time of no timer. */
export const never = Infinity
