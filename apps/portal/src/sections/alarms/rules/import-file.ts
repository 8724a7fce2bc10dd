import type { Issue } from './rule-calls.ts'

type ImportedRule = { below: boolean; rule: unknown }

/** Rules of a file as it was exported; undefined for a file of something else. */
export function rulesInFile(text: string): ImportedRule[] | undefined {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return undefined // not JSON, which the person is told
  }
  if (typeof file !== 'object' || file === null || !('rules' in file)) return undefined
  if (!Array.isArray(file.rules)) return undefined
  const found: unknown[] = file.rules
  const rules = found.flatMap((one) =>
    typeof one === 'object' && one !== null && 'rule' in one
      ? [{ below: 'below' in one && one.below === true, rule: one.rule }]
      : [],
  )
  return rules.length === found.length ? rules : undefined
}

type Outcome = { issues: readonly Pick<Issue, 'place' | 'params' | 'choices'>[] }

/** Models and devices that rules of a file are for and that are not here. */
export const missingScopes = (outcomes: readonly Outcome[]) => [
  ...new Set(
    outcomes.flatMap(({ issues }) =>
      issues
        .filter(({ place }) => place === 'scope.model' || place === 'scope.deviceId')
        .filter(({ choices }) => choices === undefined)
        .map(({ params }) => String(params['path'] ?? '')),
    ),
  ),
]

/** Names that mean several models here, each once with the models to choose from. */
export function ambiguousModels(outcomes: readonly Outcome[]) {
  const issues = outcomes.flatMap((one) => one.issues)
  const asked = issues.flatMap(({ params, choices }) =>
    choices === undefined ? [] : [[String(params['model'] ?? ''), choices] as const],
  )
  return [...new Map(asked)].map(([model, choices]) => ({ model, choices }))
}

/** Rules of which those for a model of this name mean the one with this id. */
export const withModel = (rules: readonly ImportedRule[], model: string, modelId: string) =>
  rules.map((one) =>
    modelOf(one.rule) === model
      ? { ...one, rule: { ...(one.rule as object), scope: { model, modelId } } } // it has a scope
      : one,
  )

function modelOf(rule: unknown) {
  if (typeof rule !== 'object' || rule === null || !('scope' in rule)) return undefined
  const { scope } = rule
  return typeof scope === 'object' && scope !== null && 'model' in scope ? scope.model : undefined
}
