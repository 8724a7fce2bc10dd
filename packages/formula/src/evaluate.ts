import { valueOf } from './convert.ts'
import { tamed } from './functions.ts'
import type { FormulaHistory } from './history.ts'
import type { Formula } from './parse.ts'
import type { FormulaValue } from './tree.ts'

/** Values by path, without the model's name. */
type FormulaValues = ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>
/** Time of evaluation in ms since 1970, and past values of the paths. */
type FormulaMoment = { t?: number; history?: FormulaHistory }

const noSamples = () => []

/** Result of the formula for these values; a missing path is null. */
export function evaluate(
  formula: Formula,
  values: FormulaValues,
  moment: FormulaMoment = {},
): FormulaValue {
  const read = (path: string) => {
    if (values instanceof Map) return valueOf(values.get(path))
    // Own properties only, since `constructor` is a valid path.
    return valueOf(Object.hasOwn(values, path) ? (values as Record<string, unknown>)[path] : null)
  }
  return evaluateRow(formula, formula.variables.map(read), moment)
}

/** Result of the formula for values in the order of its variables. */
export function evaluateRow(
  formula: Formula,
  values: readonly FormulaValue[],
  { t = 0, history }: FormulaMoment = {},
): FormulaValue {
  const samples = history ? (path: string) => history.samples(path) : noSamples
  return tamed(formula.run({ values, t, samples }))
}
