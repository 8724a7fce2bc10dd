import { parseFormula } from '@longreach/formula/parse'
import { inputPath } from './compile-leaf.ts'
import { leavesOf, type Rule } from './rule.ts'
import { pathsInTexts } from './texts.ts'

/** Number of indexes `[*]` in a path. */
export const starsOf = (path: string) => inputPath(path).split('[*]').length - 1

/**
 * Numbers of indexes `[*]` above none that the paths of a rule have. A rule with two numbers has no
 * clear instances: `zones[*]/temp` beside `zones[*]/heaters[*]/power`.
 */
export function starCounts(rule: Rule): Set<number> {
  const conditions = [
    ...(rule.kind === 'condition' ? [rule.when] : []),
    ...(rule.unless?.when ? [rule.unless.when] : []),
  ]
  const paths = conditions.flatMap((condition) =>
    leavesOf(condition, '').flatMap(({ leaf: { path, otherPath, formula } }) => [
      ...(path === undefined ? [] : [path]),
      ...(otherPath === undefined ? [] : [otherPath]),
      ...(formula === undefined ? [] : pathsOfFormula(formula)),
    ]),
  )
  if (rule.kind === 'silence' && rule.when.path !== undefined) paths.push(rule.when.path)
  return countsOf(paths)
}

/** Numbers of indexes in paths that texts name, which the rule's own paths do not have. */
export function strangeStars(texts: Rule['texts'], counts: ReadonlySet<number>) {
  return [...countsOf(pathsInTexts(Object.values(texts)))].filter((count) => !counts.has(count))
}

const countsOf = (paths: readonly string[]) =>
  new Set(paths.map(starsOf).filter((count) => count > 0))

function pathsOfFormula(text: string): readonly string[] {
  const parsed = parseFormula(text)
  return parsed.ok ? parsed.formula.variables : []
}
