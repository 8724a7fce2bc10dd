import { withText } from './formula-time-rules.ts'
import {
  childrenOf,
  formulaOf,
  freshLeaf,
  type Leaf,
  nodeAt,
  type Policy,
  type Row,
  sourceOf,
  type Tree,
  withNode,
} from './preset-tree-rules.ts'

/** Edited preset: its name, and the tree as it will be sent. */
export type Draft = { name: string; data: Tree }

/** Changes that can be made to several values at once; an absent field stays as it is. */
export type LeafChange = {
  mode?: 'R' | 'RW'
  historyPolicy?: NonNullable<Leaf['historyPolicy']>
  sendPolicy?: Policy
}

const modelNode = (model: Tree, keys: readonly string[]): Tree => nodeAt(model, keys) ?? {}

/** A tag's name for a line inside of arrays: with a place for each index, unless it has one. */
export function sourceFor({ indexes }: Row, tag: string) {
  if (indexes === 0 || tag.includes('${')) return tag
  let place = 0
  const named = tag.replaceAll(/\[\d+\]|(?<=[A-Za-z_])\d+(?=\W|_|$)/g, (found) => {
    if (place >= indexes) return found
    const index = `\${${place++}}`
    return found.startsWith('[') ? `[${index}]` : index
  })
  return named
}

/** Link a line to a tag. */
export function bind(data: Tree, model: Tree, row: Row, source: string): Tree {
  if (row.kind === 'field') return bindField(data, model, row, source)
  if (row.kind !== 'leaf' && row.kind !== 'struct') return data
  const node = modelNode(model, row.keys)
  const leaf = nodeAt(data, row.keys) ?? freshLeaf(node)
  const fields = row.kind === 'struct' && { properties: bareFields(node) }
  return withNode(data, model, row.keys, { ...leaf, ...fields, datalink: { source } })
}

/** Fields of a struct that is linked as a whole have types only. */
const bareFields = (struct: Tree) =>
  Object.fromEntries(Object.entries(childrenOf(struct)).map(([name, { type }]) => [name, { type }]))

function bindField(data: Tree, model: Tree, row: Row, source: string | undefined): Tree {
  const keys = row.keys.slice(0, -1)
  const name = row.keys.at(-1) ?? ''
  const struct = modelNode(model, keys)
  const { datalink: _whole, ...known } = nodeAt(data, keys) ?? freshLeaf(struct)
  const before = { ...bareFields(struct), ...childrenOf(known) }
  const type = struct['properties'] && childrenOf(struct)[name]?.['type']
  const field = source === undefined ? { type } : { type, datalink: { source } }
  const properties = { ...before, [name]: field }
  const linked = Object.values(properties).some((one) => sourceOf(one) !== undefined)
  return withNode(data, model, keys, linked ? { ...known, properties } : undefined)
}

/** Take a line's link or formula away. */
export const unbind = (data: Tree, model: Tree, row: Row): Tree =>
  row.kind === 'field'
    ? bindField(data, model, row, undefined)
    : withNode(data, model, row.keys, undefined)

/** Compute a line instead of reading it from the device: then it is not written either. */
export function compute(data: Tree, model: Tree, row: Row, formula: string): Tree {
  const leaf = nodeAt(data, row.keys) ?? freshLeaf(modelNode(model, row.keys))
  const { sendPolicy: _policy, ...computed } = leaf
  const datalink = withText(leaf, formula)
  return withNode(data, model, row.keys, { ...computed, mode: 'R', datalink })
}

/** Change those of these lines that have a value. */
export const changeLeaves = (data: Tree, model: Tree, rows: readonly Row[], change: LeafChange) =>
  rows.reduce((tree, { keys, kind }) => {
    const leaf = nodeAt(tree, keys)
    if (!leaf || (kind !== 'leaf' && kind !== 'struct')) return tree
    const { mode, historyPolicy, sendPolicy } = change
    const computed = formulaOf(leaf) !== undefined
    return withNode(tree, model, keys, {
      ...leaf,
      ...(mode && !computed && { mode }),
      ...(historyPolicy && { historyPolicy }),
      ...(sendPolicy && !computed && { sendPolicy }),
    })
  }, data)

/** Change the leaf of one line; without one nothing changes. */
export function changeLeaf(data: Tree, model: Tree, { keys }: Row, change: (leaf: Leaf) => Leaf) {
  const leaf = nodeAt(data, keys)
  return leaf ? withNode(data, model, keys, change(leaf)) : data
}

export type Binding = { source?: string; formula?: string }

/** Source that a row is bound to; undefined when it has none. */
export function bindingOf(data: Tree, row: Row): Binding | undefined {
  const node = nodeAt(data, row.keys)
  const source = sourceOf(node)
  if (source !== undefined) return { source }
  const formula = formulaOf(node)
  return formula === undefined ? undefined : { formula }
}

/** Lines that can have a value of their own. */
export const canBind = ({ kind }: Row) => kind === 'leaf' || kind === 'struct' || kind === 'field'
