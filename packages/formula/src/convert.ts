import type { FormulaValue } from './tree.ts'

/** Number for arithmetic: true is 1; a text gives null, `number(x)` converts it. */
export function numberOf(value: FormulaValue): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : null
}

/** Truth value: a number other than 0, or the text true. Another text is neither true nor false. */
export function truthOf(value: FormulaValue): boolean | null {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  const word = value?.trim().toLowerCase()
  if (word === 'true' || word === '1') return true
  return word === 'false' || word === '0' ? false : null
}

export const textOf = (value: FormulaValue): string | null =>
  value === null ? null : String(value)

/** Formula value of external data; lists, objects and infinities become null. */
export function valueOf(raw: unknown): FormulaValue {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : null
  if (typeof raw === 'bigint') return Number(raw)
  return typeof raw === 'string' || typeof raw === 'boolean' ? raw : null
}
