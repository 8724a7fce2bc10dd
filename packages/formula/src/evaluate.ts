import { valueOf } from './convert.ts'
import { tamed } from './functions.ts'
import type { FormulaHistory } from './history.ts'
import type { Formula } from './parse.ts'
import type { FormulaValue } from './tree.ts'

/** Values by path below the model's name. */
type FormulaValues = ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>
/** When it is computed, in ms since 1970, and what the paths were before. */
type FormulaMoment = { t?: number; history?: FormulaHistory }

const noSamples = () => []

/** What the formula gives for these values; a path that is not there is null. */
export function evaluate(
  formula: Formula,
  values: FormulaValues,
  moment: FormulaMoment = {},
): FormulaValue {
  const read = (path: string) => {
    if (values instanceof Map) return valueOf(values.get(path))
    // Own properties only: `constructor` is a path like any other.
    return valueOf(Object.hasOwn(values, path) ? (values as Record<string, unknown>)[path] : null)
  }
  return evaluateRow(formula, formula.variables.map(read), moment)
}

/** As `evaluate`, for values in the order of the formula's variables. */
export function evaluateRow(
  formula: Formula,
  values: readonly FormulaValue[],
  { t = 0, history }: FormulaMoment = {},
): FormulaValue {
  const samples = history ? (path: string) => history.samples(path) : noSamples
  return tamed(formula.run({ values, t, samples }))
}
