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

type Limits = { value: Limit; clear: Level['clear'] }
type LimitFault = [key: 'value' | 'clear', code: RuleIssueCode, params?: RuleIssue['params']]

/** Faults of a limit and its clear limit, of a comparison or a level. */
export function limitIssues(op: Leaf['op'], limits: Limits, place: string): RuleIssue[] {
  const fault = typeFault(op, limits.value) ?? clearFault(op, limits)
  return fault ? [issueAt(`${place}.${fault[0]}`, fault[1], fault[2])] : []
}

function typeFault(op: Leaf['op'], value: Limit): LimitFault | undefined {
  const expected = banded.has(op)
    ? 'band'
    : ordered.has(op)
      ? 'number'
      : op === 'contains'
        ? 'text'
        : 'value'
  const isBand = Array.isArray(value)
  const type = isBand ? 'band' : typeof value === 'string' ? 'text' : typeof value
  if (expected === 'value' ? isBand : type !== expected)
    return ['value', 'value_type', { expected }]
  return isBand && value[0] > value[1] ? ['value', 'band_order'] : undefined
}

function clearFault(op: Leaf['op'], { value, clear }: Limits): LimitFault | undefined {
  if (clear === undefined) return undefined
  if (Array.isArray(value)) {
    return isClearBand(op, value, clear) ? undefined : ['clear', 'clear_wrong_side']
  }
  if (typeof value !== 'number' || !ordered.has(op)) return ['clear', 'clear_not_used']
  const isAbove = op === '>' || op === '>='
  const good = typeof clear === 'number' && (isAbove ? clear <= value : clear >= value)
  return good
    ? undefined
    : ['clear', 'clear_wrong_side', isAbove ? { most: value } : { least: value }]
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
