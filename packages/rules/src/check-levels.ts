import { leafIssues, limitIssues, takesLevels } from './check-leaf.ts'
import { issueAt, type RuleIssue } from './issue.ts'
import { type Condition, type Leaf, leavesOf, type Level } from './rule.ts'
import type { PathCheck } from './known-paths.ts'

/** Faults of the comparisons of a rule and of the levels that give one of them its limit. */
export function conditionIssues(when: Condition, levels: readonly Level[], paths: PathCheck) {
  const leaves = leavesOf(when, 'when')
  const issues = leaves.flatMap(({ leaf, place }) => leafIssues(leaf, place, paths))
  const [own, ...others] = leaves.filter(({ leaf }) => takesLevels(leaf))
  issues.push(...others.map(({ place }) => issueAt(place, 'level_many_leaves')))
  if (!own) return [...issues, ...valuesNotUsed(levels), ...severityOrder(levels)]
  return [...issues, ...severityOrder(levels), ...levelIssues(own, levels)]
}

type Placed = ReturnType<typeof leavesOf>[number]

function levelIssues({ leaf, place }: Placed, levels: readonly Level[]): RuleIssue[] {
  const { op, clear } = leaf
  const own = clear === undefined ? [] : [issueAt(`${place}.clear`, 'clear_not_used')]
  const faults = levels.flatMap(({ value, clear }, index) =>
    value === undefined
      ? [issueAt(`levels.${index}.value`, 'level_value_missing')]
      : limitIssues(op, { value, clear }, `levels.${index}`),
  )
  return faults.length > 0 ? [...own, ...faults] : [...own, ...valueOrder(op, levels)]
}

/** Levels of a rule whose condition has limits of its own give a severity only, so there is one. */
export const valuesNotUsed = (levels: readonly Level[]) =>
  levels.flatMap(({ value, clear }, index) => [
    ...(value === undefined ? [] : [issueAt(`levels.${index}.value`, 'level_values_not_used')]),
    ...(clear === undefined ? [] : [issueAt(`levels.${index}.clear`, 'level_values_not_used')]),
    ...(index > 0 ? [issueAt(`levels.${index}`, 'level_values_not_used')] : []),
  ])

const severityOrder = (levels: readonly Level[]) =>
  levels.flatMap(({ severity }, index) =>
    index > 0 && severity <= (levels[index - 1]?.severity ?? -1)
      ? [issueAt(`levels.${index}.severity`, 'levels_severity_order')]
      : [],
  )

/** A worse level lies further out, so that it holds only where the one before holds. */
function valueOrder(op: Leaf['op'], levels: readonly Level[]): RuleIssue[] {
  return levels.flatMap((level, index) => {
    const before = levels[index - 1]
    return before === undefined || isFurther(op, before.value, level.value)
      ? []
      : [issueAt(`levels.${index}.value`, 'levels_value_order')]
  })
}

function isFurther(op: Leaf['op'], before: Level['value'], value: Level['value']) {
  if (Array.isArray(before) && Array.isArray(value)) {
    const [inner, outer] = op === 'outside' ? [before, value] : [value, before]
    return outer[0] <= inner[0] && outer[1] >= inner[1] && String(inner) !== String(outer)
  }
  if (typeof before !== 'number' || typeof value !== 'number') return before !== value
  if (op === '>' || op === '>=') return value > before
  return op === '<' || op === '<=' ? value < before : value !== before
}
