import { type Condition, isLeaf, type Leaf, type Rule } from '@longreach/rules/rule'

/** Rule of a new page: a value above a limit for ten seconds raises High. */
export const newRule = (model: string): Rule => ({
  kind: 'condition',
  name: '',
  scope: { model },
  deviceGroups: [],
  enabled: true,
  when: { path: '', op: '>' },
  levels: [{ severity: 5 }],
  onDelayMs: 10_000,
  offDelayMs: 0,
  ack: true,
  reset: false,
  ladder: [],
  chatter: { max: 5, withinMs: 600_000 },
  quality: 'hold',
  lateNotifyMs: 3_600_000,
  texts: {},
  cause: '',
  consequence: '',
  response: '',
  class: '',
  link: '',
})

/** Kind of condition: a comparison, or a group. */
export function groupOf(condition: Condition) {
  if (isLeaf(condition)) return undefined
  if ('not' in condition) return { kind: 'not' as const, parts: [condition.not] }
  return 'all' in condition
    ? { kind: 'all' as const, parts: condition.all }
    : { kind: 'any' as const, parts: condition.any }
}

/** Place of a part of a group. */
export const partPlace = (place: string, kind: 'all' | 'any' | 'not', index: number) =>
  kind === 'not' ? `${place}.not` : `${place}.${kind}.${index}`

export const newLeaf: Leaf = { path: '', op: '>' }

/** Condition with one comparison more, beside it under `all` or as the last of its group. */
export function withPart(condition: Condition): Condition {
  const added = { ...newLeaf, value: 0 }
  const group = groupOf(condition)
  if (group === undefined || group.kind === 'not') return { all: [condition, added] }
  const parts = [...group.parts, added]
  return group.kind === 'all' ? { all: parts } : { any: parts }
}

/** Group without one of its parts; the last one that is left takes its place. */
export function withoutPart(condition: Condition, index: number): Condition {
  const group = groupOf(condition)
  if (group === undefined) return condition
  if (group.kind === 'not') return group.parts[0] ?? newLeaf
  const parts = group.parts.filter((_, at) => at !== index)
  const [only] = parts
  if (parts.length === 1 && only) return only
  return group.kind === 'all' ? { all: parts } : { any: parts }
}

/** Group of the other kind with the same parts. */
export function withKind(condition: Condition, kind: 'all' | 'any'): Condition {
  const group = groupOf(condition)
  const parts = [...(group?.parts ?? [condition])]
  return kind === 'all' ? { all: parts } : { any: parts }
}

/** True for a comparison whose limits are those of the levels. */
const takesLevels = (condition: Condition): condition is Leaf =>
  isLeaf(condition) &&
  condition.op !== 'changed' &&
  condition.otherPath === undefined &&
  condition.value === undefined

/** True when the limits of a rule stand at its levels, and not at its comparison. */
export const hasLevelLimits = ({ levels }: Rule) => levels.some(({ value }) => value !== undefined)

/** True for a comparison that may have a limit of its own at which it ends. */
export const mayClear = ({ op }: Leaf) => ['>', '>=', '<', '<=', 'inside', 'outside'].includes(op)

/** Comparison by another operator, without what that one does not take. */
export function withOperator(leaf: Leaf, op: Leaf['op']): Leaf {
  const { value, clear, ...others } = leaf
  const isSameKind = isBanded(op) === isBanded(leaf.op) && op !== 'changed'
  if (!isSameKind) return { ...others, op }
  const changed = { ...others, op, ...(value !== undefined && { value }) }
  return clear !== undefined && mayClear(changed) ? { ...changed, clear } : changed
}

const isBanded = (op: Leaf['op']) => op === 'inside' || op === 'outside'

/** True when the rule may have several levels: it is one comparison with a value. */
export const mayHaveLevels = (rule: Rule) =>
  rule.kind === 'condition' &&
  isLeaf(rule.when) &&
  rule.when.op !== 'changed' &&
  rule.when.otherPath === undefined

/** Rule with one level more, whose limits then stand at the levels. */
export function withLevel(rule: Rule): Rule {
  if (rule.kind !== 'condition' || !isLeaf(rule.when)) return rule
  const { value, clear, ...when } = rule.when
  const [first, ...others] = rule.levels
  const own = takesLevels(rule.when)
    ? first
    : { severity: first?.severity ?? 3, ...withoutUndefined({ value, clear }) }
  const last = rule.levels.at(-1)?.severity ?? 3
  return {
    ...rule,
    when,
    levels: [...(own ? [own] : []), ...others, { severity: Math.min(6, last + 1) }],
  }
}

/** Rule without one of its levels; the limit of the only one left stands at the comparison again. */
export function withoutLevel(rule: Rule, index: number): Rule {
  const levels = rule.levels.filter((_, at) => at !== index)
  const [only] = levels
  if (levels.length !== 1 || !only || rule.kind !== 'condition' || !isLeaf(rule.when)) {
    return { ...rule, levels }
  }
  const { severity, value, clear } = only
  return {
    ...rule,
    when: { ...rule.when, ...withoutUndefined({ value, clear }) },
    levels: [{ severity }],
  }
}

function withoutUndefined<T extends object>(fields: T) {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as { [Key in keyof T]?: Exclude<T[Key], undefined> }
}

/** Rule of another kind, with what both have. */
export function withRuleKind(rule: Rule, kind: Rule['kind']): Rule {
  if (rule.kind === kind) return rule
  const levels = [{ severity: rule.levels[0]?.severity ?? 5 }]
  if (kind === 'condition') return { ...rule, kind, when: { ...newLeaf }, levels }
  if (kind === 'silence') return { ...rule, kind, when: { forMs: 600_000 }, levels, onDelayMs: 0 }
  return { ...rule, kind, when: { source: 'IOT', status: 'OFF' }, levels }
}
