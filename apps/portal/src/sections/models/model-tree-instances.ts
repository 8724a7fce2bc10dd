import { changeAt, type Edited, insert } from './model-tree-edits.ts'
import {
  childrenOf,
  isModelNode,
  type ModelNode,
  nameOf,
  nodeAt,
  type NodeId,
  parentOf,
} from '../../parts/models/model-tree-rules.ts'

/** More would hardly be numbered alike by hand. */
export const mostInstances = 100

/** Names that further instances of a node get: `zone1` is followed by `zone2`, `zone3` … */
export function instanceNames(root: ModelNode, id: NodeId, count: number): string[] {
  const { base, number } = numbered(nameOf(id))
  const taken = siblingsOf(root, id)
  const names: string[] = []
  for (let next = number + 1; names.length < Math.min(count, mostInstances); next += 1) {
    const name = `${base}${next}`
    if (!taken.includes(name)) names.push(name)
  }
  return names
}

/**
 * Further instances of a node after it, numbered on. In labels and descriptions `{n}` becomes the
 * number of the instance, and so does the number of the first where a text ends with it.
 */
export function addInstances(root: ModelNode, id: NodeId, count: number): Edited {
  const node = nodeAt(root, id)
  const names = instanceNames(root, id, count)
  if (!node || names.length === 0) return { root, chosen: [id] }
  const { base, number } = numbered(nameOf(id))
  const parent = parentOf(id)
  const place = siblingsOf(root, id).indexOf(nameOf(id)) + 1
  let tree = changeAt(root, id, (first) => withNumber(first, number, number))
  const chosen: NodeId[] = []
  for (const [step, name] of names.entries()) {
    const instance = withNumber(node, number, Number(name.slice(base.length)))
    const edited = insert(tree, { parent, index: place + step }, [name, instance])
    tree = edited.root
    chosen.push(...edited.chosen)
  }
  return { root: tree, chosen }
}

const siblingsOf = (root: ModelNode, id: NodeId) =>
  childrenOf(nodeAt(root, parentOf(id)) ?? root).map(([name]) => name)

/** `zone12` is `zone` with 12; a name without a number is the first. */
function numbered(name: string) {
  const digits = /[1-9]\d{0,5}$/.exec(name)?.[0] ?? ''
  return { base: name.slice(0, name.length - digits.length), number: Number(digits || 1) }
}

const texts = ['label', 'description'] as const

/** The node and all in it, with another number in their texts. */
function withNumber(node: ModelNode, from: number, to: number): ModelNode {
  const said = Object.fromEntries(
    texts.flatMap((key) => {
      const text = node[key]
      return typeof text === 'string' ? [[key, numberedText(text, from, to)]] : []
    }),
  )
  const { properties, item, arguments: given } = node
  return {
    ...node,
    ...said,
    ...(isModelNode(given) && {
      arguments: Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, numberedValue(value, from, to)]),
      ),
    }),
    ...(isModelNode(properties) && {
      properties: Object.fromEntries(
        childrenOf(node).map(([name, child]) => [name, withNumber(child, from, to)]),
      ),
    }),
    ...(isModelNode(item) && { item: withNumber(item, from, to) }),
  }
}

function numberedValue(value: unknown, from: number, to: number) {
  if (typeof value === 'string') return numberedText(value, from, to)
  return value === from ? to : value
}

function numberedText(text: string, from: number, to: number) {
  if (text.includes('{n}')) return text.replaceAll('{n}', String(to))
  const [digits = ''] = /\d+$/.exec(text) ?? []
  return digits === String(from) ? text.slice(0, -digits.length) + String(to) : text
}
