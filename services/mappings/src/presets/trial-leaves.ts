import type { Condition, SendPolicy } from '@longreach/device-protocol/configuration'
import type { Configuration, Leaf } from '@longreach/device-protocol/read-configuration'
import { orderOf } from '@longreach/formula/cycles'
import { parseFormula } from '@longreach/formula/parse'
import { atPlace, relativePath } from '@longreach/formula/paths'
import type { FormulaWindows } from '@longreach/formula/windows'
import type { TreeNode } from '../tree-rules.ts'
import { formulaOf, windowsOf } from './formula-rules.ts'
import type { RehearsedLeaf } from './preset-trial-contract.ts'

/** A value of the new preset, and how it is played; without `leaf` there is nothing to play. */
export type Rehearsing = {
  path: string
  source: string | null
  from: string | null
  history: boolean
  leaf?: RehearsedLeaf
}

type Device = {
  /** What the device is configured to do now. */
  now: Configuration | undefined
  mayRead: (path: string) => boolean
}

/** Where the values of each leaf of the new configuration are found under the device's present one. */
export function rehearsedLeaves(fresh: Configuration, { now, mayRead }: Device): Rehearsing[] {
  const stored = new Map(
    (now?.leaves ?? [])
      .filter(({ path }) => mayRead(path))
      .flatMap(({ source, path }) => (source === undefined ? [] : [[source, path] as const])),
  )
  return fresh.leaves.map((leaf) => rehearsing(leaf, stored, sameStruct(leaf, now, mayRead)))
}

/** A struct whose fields have tags of their own is played from where it is stored now. */
function sameStruct(leaf: Leaf, now: Configuration | undefined, mayRead: Device['mayRead']) {
  if (!leaf.fieldSources || !mayRead(leaf.path)) return undefined
  const tags = JSON.stringify(leaf.fieldSources)
  return now?.leaves.find((one) => JSON.stringify(one.fieldSources) === tags)?.path
}

function rehearsing(
  leaf: Leaf,
  stored: ReadonlyMap<string, string>,
  struct: string | undefined,
): Rehearsing {
  const { path, type, fields, sendPolicy, source = null, history } = leaf
  const from = (source === null ? struct : stored.get(source)) ?? null
  const facts = { path, source, from, history }
  if (from === null) return facts
  const watched = Object.fromEntries(
    [...watchedBy(sendPolicy)].flatMap((tag) => {
      const at = stored.get(tag)
      return at === undefined ? [] : [[tag, at] as const]
    }),
  )
  const { triggers, conditions } = sendPolicy ?? {}
  return {
    ...facts,
    leaf: {
      path,
      type,
      from,
      ...(fields && { fields }),
      ...(sendPolicy && { sendPolicy: { triggers, conditions } }),
      watched,
    },
  }
}

/** Tags besides its own that a policy looks at. */
function watchedBy(policy: SendPolicy | undefined): Set<string> {
  const tags = new Set<string>()
  for (const trigger of policy?.triggers ?? []) {
    if (trigger.type !== 'timer' && trigger.tagName) tags.add(trigger.tagName)
  }
  addConditionTags(policy?.conditions, tags)
  return tags
}

function addConditionTags(condition: Condition | null | undefined, tags: Set<string>): void {
  if (!condition) return
  if ('operands' in condition) for (const one of condition.operands) addConditionTags(one, tags)
  else if (condition.tagName) tags.add(condition.tagName)
}

/** The computed values of a preset, with the formulas and tags that each needs; in arrays of the first item. */
export function rehearsedFormulas(
  nodes: readonly TreeNode[],
  tags: readonly Rehearsing[],
  model: string,
): Rehearsing[] {
  const texts = new Map<string, Text>()
  for (const { node, path } of nodes) {
    const text = formulaOf(node)
    if (text === undefined) continue
    const { windows } = windowsOf(node)
    texts.set(first(path), { text: atPlace(text, zeros), node, ...(windows && { windows }) })
  }
  const stored = new Map(tags.map((one) => [relativePath(one.path), one.from]))
  const { order } = orderOf(new Map([...texts].map(([path, { text }]) => [path, needs(text)])))
  return order.flatMap((path) => {
    const found = texts.get(path)
    return found ? [computed(path, found.node, { texts, order, stored, model })] : []
  })
}

const zeros = Array.from({ length: 10 }, () => 0)
const first = (path: string) => path.replaceAll('[*]', '[0]')

function needs(text: string): readonly string[] {
  const parsed = parseFormula(text)
  return parsed.ok ? parsed.formula.variables : []
}

type Text = { text: string; node: TreeNode['node']; windows?: FormulaWindows }
type Known = {
  texts: ReadonlyMap<string, Text>
  order: readonly string[]
  stored: ReadonlyMap<string, string | null>
  model: string
}

function computed(
  path: string,
  node: TreeNode['node'],
  { texts, order, stored, model }: Known,
): Rehearsing {
  const wanted = new Set([path])
  const from: Record<string, string> = {}
  for (const one of order.toReversed()) {
    if (!wanted.has(one)) continue
    for (const need of needs(texts.get(one)?.text ?? '')) {
      wanted.add(need)
      const at = stored.get(need)
      if (at) from[need] = at
    }
  }
  const chain = order.flatMap((one) => {
    const found = wanted.has(one) ? texts.get(one) : undefined
    if (!found) return []
    const { text, windows } = found
    return [{ path: one, text, ...(windows && { windows }) }]
  })
  const history = (node['historyPolicy'] as { enabled?: unknown } | undefined)?.enabled !== false // judged
  const type = node['type'] as RehearsedLeaf['type'] // judged
  const whole = `${model}/${path}`
  const facts = { path: whole, source: null, from: null, history }
  if (Object.keys(from).length === 0) return facts
  // The chain ends with the value itself: it needs all the others.
  return { ...facts, leaf: { path: whole, type, formula: { texts: chain, from } } }
}
