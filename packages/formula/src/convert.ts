import type { FormulaValue } from './tree.ts'

/** As a number for arithmetic: true is 1; a text is none, `number(x)` makes one of it. */
export function numberOf(value: FormulaValue): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : null
}

/** As a condition: a number other than 0, and the text true. Another text is neither true nor false. */
export function truthOf(value: FormulaValue): boolean | null {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  const word = value?.trim().toLowerCase()
  if (word === 'true' || word === '1') return true
  return word === 'false' || word === '0' ? false : null
}

export const textOf = (value: FormulaValue): string | null =>
  value === null ? null : String(value)

/** What comes from outside as a value of formulas: lists, objects and infinities are null. */
export function valueOf(raw: unknown): FormulaValue {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : null
  if (typeof raw === 'bigint') return Number(raw)
  return typeof raw === 'string' || typeof raw === 'boolean' ? raw : null
}
