import type { RehearsedLeaf } from '@longreach/mappings/rehearsed-contract'
import { evaluate } from '@longreach/formula/evaluate'
import { FormulaHistory } from '@longreach/formula/history'
import { usualMissing } from '@longreach/formula/missing'
import { type Formula, parseFormula } from '@longreach/formula/parse'
import { valueOf } from '@longreach/formula/convert'
import type { Value } from '@longreach/device-protocol/value'
import { WindowRun } from '../formulas/window-run.ts'
import type { Computed, Sample } from './rehearsal.ts'

type Texts = NonNullable<RehearsedLeaf['formula']>['texts']
/** State at a time: values by their paths, and the paths that changed at this time. */
type Moment = { values: Map<string, unknown>; changed: Set<string>; t: number }
type Step = (moment: Moment) => readonly Sample[]

/** Computes the last of the formulas from the results of the others; undefined for a text that is no formula. */
export function computedBy(texts: Texts): Computed | undefined {
  const steps = texts.flatMap(({ path, text, windows }) => {
    const parsed = parseFormula(text)
    if (!parsed.ok) return []
    const { formula } = parsed
    const run = windows && new WindowRun({ formula, windows, missing: usualMissing })
    return [{ path, run, step: run ? windowStep(formula, run) : plainStep(formula) }]
  })
  if (steps.length < texts.length) return undefined
  const results = new Map<string, unknown>()
  return {
    take(given, name, t) {
      const moment = { values: new Map([...given, ...results]), changed: new Set([name]), t }
      let samples: readonly Sample[] = []
      for (const { path, step } of steps) {
        samples = step(moment)
        const newest = samples.at(-1)
        if (!newest) continue
        results.set(path, newest.v)
        moment.values.set(path, newest.v)
        moment.changed.add(path)
      }
      return samples
    },
    until: (t) => samplesOf(steps.at(-1)?.run?.until(t) ?? []),
  }
}

function plainStep(formula: Formula): Step {
  const history = new FormulaHistory(formula.reach)
  return ({ values, changed, t }) => {
    for (const name of changed) history.add(name, t, valueOf(values.get(name)))
    return [{ t, v: evaluate(formula, values, { t, history }) }]
  }
}

function windowStep({ variables }: Formula, run: WindowRun): Step {
  return ({ values, changed, t }) => {
    const fresh = variables.map((name) => changed.has(name))
    if (!fresh.includes(true)) return samplesOf(run.until(t))
    return samplesOf(
      run.take({ t, fresh, values: variables.map((name) => valueOf(values.get(name))), q: 0 }),
    )
  }
}

/** Samples of computed points; a result is a number, a text or a boolean. */
const samplesOf = (points: readonly { t: number; v: unknown }[]): Sample[] =>
  points.map(({ t, v }) => ({ t, v: valueOf(v) satisfies Value | null }))
