import { leafIssues, takesLevels } from './check-leaf.ts'
import { conditionIssues, valuesNotUsed } from './check-levels.ts'
import { scheduleIssues, textIssues } from './check-texts.ts'
import { issueAt, type RuleIssue } from './issue.ts'
import { PathCheck } from './known-paths.ts'
import { ruleLimits } from './limits.ts'
import { ConditionReader } from './read-condition.ts'
import { type Condition, leavesOf, Rule } from './rule.ts'
import { schemaIssues } from './schema-issues.ts'
import { starCounts, strangeStars } from './stars.ts'
import { unlessCycle } from './unless-cycle.ts'

/** Facts that a rule is checked against; what is absent is not checked. */
export type Known = {
  /** Paths of the model or device; `[*]` is any index. */
  paths?: Iterable<string>
  /** Own id of the rule, and for each rule in sight the rule named in its `unless`, if any. */
  id?: string
  rules?: ReadonlyMap<string, string | undefined>
}

export type Validated = { ok: true; rule: Rule } | { ok: false; issues: RuleIssue[] }

/** Checks a posted rule, and answers it complete or all its faults. Never throws, whatever is given. */
export function validateRule(raw: unknown, known: Known = {}): Validated {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return refusal([issueAt('', 'wrong_type', { expected: 'object' })])
  }
  const { read, issues } = readRule(raw)
  if (!read) return refusal(issues)
  const found = [...issues, ...ruleIssues(read, known)]
  return found.length > 0 ? refusal(found) : { ok: true, rule: read }
}

const refusal = (issues: readonly RuleIssue[]): Validated => ({
  ok: false,
  issues: issues.slice(0, ruleLimits.issues),
})

/** Condition in place of one that is read by itself, since a union does not name what is wrong. */
const holding: Condition = { path: '-', op: 'changed' }

function readRule(raw: object): { read?: Rule; issues: RuleIssue[] } {
  const given: Record<string, unknown> = { ...raw }
  const reader = new ConditionReader()
  const when = takeWhen(given, reader)
  const unlessWhen = takeUnless(given, reader)
  const read = Rule.safeParse(given, { reportInput: true })
  if (!read.success) return { issues: [...schemaIssues(read.error, ''), ...reader.issues] }
  const rule = read.data
  if (reader.issues.length > 0) return { issues: reader.issues }
  if (rule.kind === 'condition' && when) rule.when = when
  if (rule.unless && unlessWhen) rule.unless.when = unlessWhen
  return { read: rule, issues: [] }
}

/** Reads the condition, and leaves one in its place that the schema accepts. */
function takeWhen(given: Record<string, unknown>, reader: ConditionReader) {
  if (given['kind'] === 'silence' || given['kind'] === 'connection') return undefined
  const when = reader.read(given['when'], 'when')
  given['when'] = holding
  return when
}

function takeUnless(given: Record<string, unknown>, reader: ConditionReader) {
  const unless = given['unless']
  if (typeof unless !== 'object' || unless === null || !('when' in unless)) return undefined
  const when = reader.read(unless.when, 'unless.when')
  given['unless'] = { ...unless, when: holding }
  return when
}

function ruleIssues(rule: Rule, known: Known): RuleIssue[] {
  const paths = new PathCheck(known.paths)
  const stars = starCounts(rule)
  return [
    ...whenIssues(rule, paths),
    ...(rule.unless ? unlessIssues(rule.unless, known, paths) : []),
    ...(rule.schedule ? scheduleIssues(rule.schedule) : []),
    ...textIssues(rule.texts, paths),
    ...(stars.size > 1 ? [issueAt('when', 'items_differ')] : []),
    ...(strangeStars(rule.texts, stars).length > 0 ? [issueAt('texts', 'items_differ')] : []),
  ]
}

function whenIssues(rule: Rule, paths: PathCheck): RuleIssue[] {
  switch (rule.kind) {
    case 'condition':
      return conditionIssues(rule.when, rule.levels, paths)
    case 'silence': {
      const { path } = rule.when
      const found = path === undefined ? [] : paths.issues(path, 'when.path')
      return [...found, ...valuesNotUsed(rule.levels)]
    }
    case 'connection':
      return valuesNotUsed(rule.levels)
  }
}

function unlessIssues(
  { when, rule }: NonNullable<Rule['unless']>,
  { id, rules }: Known,
  paths: PathCheck,
): RuleIssue[] {
  if ((when === undefined) === (rule === undefined)) return [issueAt('unless', 'unless_empty')]
  if (when) return unlessWhenIssues(when, paths)
  if (rule === undefined || !rules) return []
  const named = new Map(
    [...rules].flatMap(([one, unless]) => (unless === undefined ? [] : [[one, unless] as const])),
  )
  const cycle = id === undefined ? undefined : unlessCycle(id, rule, named)
  if (cycle) return [issueAt('unless.rule', 'unless_cycle', { chain: cycle.join(' → ') })]
  return rules.has(rule) ? [] : [issueAt('unless.rule', 'unless_unknown_rule', { rule })]
}

const unlessWhenIssues = (when: Condition, paths: PathCheck) =>
  leavesOf(when, 'unless.when').flatMap(({ leaf, place }) => [
    ...leafIssues(leaf, place, paths),
    ...(takesLevels(leaf) ? [issueAt(`${place}.value`, 'missing')] : []),
  ])
