import { parseFormula } from '@longreach/formula/parse'
import { issueAt, type RuleIssue, type RuleIssueCode } from './issue.ts'
import type { PathCheck } from './known-paths.ts'
import type { Leaf, Level, Limit } from './rule.ts'

const ordered = new Set<Leaf['op']>(['>', '>=', '<', '<='])
const banded = new Set<Leaf['op']>(['inside', 'outside'])

/** True for a comparison that takes its limit from the levels of the rule. */
export const takesLevels = (leaf: Leaf) =>
  leaf.value === undefined && leaf.otherPath === undefined && leaf.op !== 'changed'

/** Faults of a comparison that are beyond its schema. */
export function leafIssues(leaf: Leaf, place: string, paths: PathCheck): RuleIssue[] {
  const issues = [...operandIssues(leaf, place, paths)]
  if (leaf.value !== undefined && leaf.otherPath !== undefined) {
    issues.push(issueAt(`${place}.otherPath`, 'value_or_path'))
  }
  if (leaf.otherPath !== undefined) issues.push(...otherIssues(leaf, place, paths))
  if (leaf.op === 'changed') {
    const given = (['value', 'otherPath', 'clear'] as const).filter(
      (key) => leaf[key] !== undefined,
    )
    return [...issues, ...given.map((key) => issueAt(`${place}.${key}`, 'value_not_used'))]
  }
  if (leaf.value === undefined) return issues
  return [...issues, ...limitIssues(leaf.op, { value: leaf.value, clear: leaf.clear }, place)]
}

function operandIssues({ path, formula, op }: Leaf, place: string, paths: PathCheck): RuleIssue[] {
  if ((path === undefined) === (formula === undefined)) return [issueAt(place, 'path_or_formula')]
  if (path !== undefined) return paths.issues(path, `${place}.path`)
  const at = `${place}.formula`
  if (op === 'changed') return [issueAt(at, 'path_or_formula')]
  const parsed = parseFormula(formula ?? '')
  if (!parsed.ok) {
    return parsed.issues.map(({ code, values }) => issueAt(at, 'formula', { ...values, code }))
  }
  const windowed = [...parsed.formula.reach.values()].some(({ windowMs }) => windowMs > 0)
  return [
    ...(windowed ? [issueAt(at, 'formula_window')] : []),
    ...parsed.formula.variables.flatMap((variable) => paths.issues(variable, at)),
  ]
}

function otherIssues({ op, otherPath = '', clear }: Leaf, place: string, paths: PathCheck) {
  const issues = paths.issues(otherPath, `${place}.otherPath`)
  if (banded.has(op)) issues.push(issueAt(`${place}.otherPath`, 'value_type', { expected: 'band' }))
  if (clear === undefined) return issues
  if (!ordered.has(op)) issues.push(issueAt(`${place}.clear`, 'clear_not_used'))
  else if (Array.isArray(clear) || clear < 0) {
    issues.push(issueAt(`${place}.clear`, 'clear_wrong_side', { least: 0 }))
  }
  return issues
}

/** Faults of a limit and its clear limit, of a comparison or a level. */
export function limitIssues(
  op: Leaf['op'],
  { value, clear }: { value: Limit; clear: Level['clear'] },
  place: string,
): RuleIssue[] {
  const at = (key: string, code: RuleIssueCode, params: RuleIssue['params'] = {}) => [
    issueAt(`${place}.${key}`, code, params),
  ]
  if (Array.isArray(value) !== banded.has(op)) {
    return at('value', 'value_type', { expected: banded.has(op) ? 'band' : 'value' })
  }
  if (Array.isArray(value)) {
    if (value[0] > value[1]) return at('value', 'band_order')
    return clear === undefined || isClearBand(op, value, clear)
      ? []
      : at('clear', 'clear_wrong_side')
  }
  if (op === 'contains' && typeof value !== 'string') {
    return at('value', 'value_type', { expected: 'text' })
  }
  if (ordered.has(op) && typeof value !== 'number') {
    return at('value', 'value_type', { expected: 'number' })
  }
  if (clear === undefined) return []
  if (typeof value !== 'number' || !ordered.has(op)) return at('clear', 'clear_not_used')
  const isAbove = op === '>' || op === '>='
  const good = typeof clear === 'number' && (isAbove ? clear <= value : clear >= value)
  return good ? [] : at('clear', 'clear_wrong_side', isAbove ? { most: value } : { least: value })
}

/** The band that ends `inside` is wider, that of `outside` narrower. */
function isClearBand(op: Leaf['op'], [low, high]: [number, number], clear: Level['clear']) {
  if (!Array.isArray(clear)) return false
  const [clearLow, clearHigh] = clear
  if (clearLow > clearHigh) return false
  return op === 'inside'
    ? clearLow <= low && clearHigh >= high
    : clearLow >= low && clearHigh <= high
}
