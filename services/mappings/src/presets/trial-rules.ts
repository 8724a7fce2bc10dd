import { isTree, type TreeNode } from '../tree-rules.ts'
import { ignoredOf, isFormula } from './formula-rules.ts'
import { isLinked } from './preset-rules.ts'
import type { Change, Warning } from './preset-trial-contract.ts'

type Tree = Record<string, unknown>
type Trigger = Tree & { type?: unknown }

/** Warnings for settings of the preset that device libraries in the field ignore. */
export const warningsOf = (nodes: readonly TreeNode[]): Warning[] => [
  ...nodes.filter(isLinked).flatMap((one) => {
    const { path } = one
    const triggers = triggersOf(one.node)
    const rules = new Set<Warning['rule']>(
      triggers.length === 0
        ? ['never_sent']
        : triggers.flatMap((trigger) => faultsOf(trigger, one)),
    )
    return [...rules].map((rule) => ({ path, rule }))
  }),
  ...nodes.flatMap((one) => {
    const fields = ignoredOf(one).map(({ values }) => String(values?.['field']))
    return fields.length > 0 ? [{ path: one.path, rule: 'formula_ignored' as const, fields }] : []
  }),
]

function faultsOf(trigger: Trigger, { node }: TreeNode): Warning['rule'][] {
  const { type, mode, fieldName } = trigger
  const rules: Warning['rule'][] = []
  // Its bit test on a text never holds.
  if (type === 'onlevel' && typeof mode === 'string' && mode !== '') rules.push('level_mode')
  // Its parser looks for another spelling.
  if (type === 'fieldlevel') rules.push('field_level')
  const fields = isTree(node['properties']) ? node['properties'] : {}
  if (typeof fieldName === 'string' && !Object.hasOwn(fields, fieldName)) {
    rules.push('field_missing')
  }
  if (type === 'onchange' && hasBand(trigger) && !isNumber(node)) rules.push('deadband_of_text')
  return rules
}

const hasBand = ({ deadband, deadbandPercent }: Trigger) =>
  Number(deadband ?? 0) > 0 || Number(deadbandPercent ?? 0) > 0

const isNumber = ({ type }: Tree) => type === 'integer' || type === 'double'

function triggersOf({ sendPolicy }: Tree): Trigger[] {
  const triggers = isTree(sendPolicy) ? sendPolicy['triggers'] : undefined
  return Array.isArray(triggers) ? triggers.filter(isTree) : []
}

const compared = ['type', 'mode', 'historyPolicy', 'sendPolicy', 'datalink'] as const

/** Values that come, go or are made another way. */
export function compareTrees(before: readonly TreeNode[], after: readonly TreeNode[]): Change[] {
  const [old, fresh] = [valuesOf(before), valuesOf(after)]
  const removed = [...old.keys()].filter((path) => !fresh.has(path))
  const changes: Change[] = removed.map((path) => ({
    path,
    kind: 'removed',
    what: [],
    values: linkBetween(old.get(path), undefined),
  }))
  for (const [path, node] of fresh) {
    const known = old.get(path)
    if (!known) {
      changes.push({ path, kind: 'added', what: [], values: linkBetween(undefined, node) })
      continue
    }
    const values = valuesBetween(known, node)
    if (values.length > 0) {
      changes.push({ path, kind: 'changed', what: values.map(({ key }) => key), values })
    }
  }
  return changes
}

const valuesBetween = (from: Tree | undefined, to: Tree | undefined) =>
  compared
    .filter((key) => differs(from?.[key], to?.[key]))
    .map((key) => ({ key, from: from?.[key] ?? null, to: to?.[key] ?? null }))

/** Of a value that comes or goes only what it is made from is worth telling. */
const linkBetween = (from: Tree | undefined, to: Tree | undefined) =>
  valuesBetween(from, to).filter(({ key }) => key === 'datalink')

const differs = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) !== JSON.stringify(other ?? null)

/** Nodes that become a value: linked to a tag, or computed. */
const valuesOf = (nodes: readonly TreeNode[]) =>
  new Map(
    nodes
      .filter((one) => isLinked(one) || isFormula(one.node))
      .map(({ path, node }) => [path, node]),
  )
