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

type Outcome = {
  issues: readonly { place: string; params: Readonly<Record<string, string | number>> }[]
}

/** Models and devices that rules of a file are for and that are not here. */
export const missingScopes = (outcomes: readonly Outcome[]) => [
  ...new Set(
    outcomes.flatMap(({ issues }) =>
      issues
        .filter(({ place }) => place === 'scope.model' || place === 'scope.deviceId')
        .map(({ params }) => String(params['path'] ?? '')),
    ),
  ),
]
