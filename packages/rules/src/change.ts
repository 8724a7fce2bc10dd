import type { FormulaValue } from '@longreach/formula/tree'

/** Values at a raise, for texts: value and limit of the level, values of paths by their text. */
export type Words = {
  value: FormulaValue
  limit: FormulaValue
  values: Readonly<Record<string, FormulaValue>>
}

/**
 * Change of an alarm at an event time. `again`: it holds anew while its return is held because it
 * chatters. `suppressed`: it would have been raised; `hidden` and `shown` are those of an open one.
 */
export type Change =
  | { kind: 'raise'; t: number; level: number; severity: number; words: Words }
  | { kind: 'severity'; t: number; level: number; severity: number; words: Words }
  | { kind: 'again'; t: number; count: number }
  | { kind: 'return'; t: number; reason?: 'rule_changed' }
  | { kind: 'suppressed' | 'hidden' | 'shown'; t: number }
