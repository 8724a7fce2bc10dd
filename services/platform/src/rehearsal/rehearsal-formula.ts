import { evaluate } from '@longreach/formula/evaluate'
import { FormulaHistory } from '@longreach/formula/history'
import { parseFormula } from '@longreach/formula/parse'
import { valueOf } from '@longreach/formula/convert'
import type { Value } from '@longreach/device-protocol/value'
import type { Computed } from './rehearsal.ts'
import type { RehearsedLeaf } from './rehearsal-contract.ts'

type Texts = NonNullable<RehearsedLeaf['formula']>['texts']

/** Computes the last of the formulas, with what the others before it give; undefined for a text that is none. */
export function computedBy(texts: Texts): Computed | undefined {
  const formulas = texts.flatMap(({ path, text }) => {
    const parsed = parseFormula(text)
    if (!parsed.ok) return []
    const { formula } = parsed
    return [{ path, formula, history: new FormulaHistory(formula.reach) }]
  })
  if (formulas.length < texts.length) return undefined
  return (given, name, t) => {
    const values = new Map<string, unknown>(given)
    let result: Value | null = null
    let changed = name
    for (const { path, formula, history } of formulas) {
      history.add(changed, t, valueOf(values.get(changed)))
      result = evaluate(formula, values, { t, history })
      values.set(path, result)
      changed = path
    }
    return result
  }
}
