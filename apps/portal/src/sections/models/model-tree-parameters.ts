import {
  fillParameters,
  namesUsed,
  type Parameter,
  parametersOf,
} from '@longreach/mappings/parameters-contract'
import { changeAt } from './model-tree-edits.ts'
import {
  isModelNode,
  kindOf,
  type ModelNode,
  nodeAt,
  type NodeId,
  parentOf,
} from '../../parts/models/model-tree-rules.ts'

/** The tree with the values of its parameters in texts and limits; the same object when nothing changes. */
export const filledTree = (root: ModelNode): ModelNode => fillParameters(root).tree

/** The parameters that texts of a node may use: those of the object that it is, or is in. */
export function usableParameters(root: ModelNode, id: NodeId): Parameter[] {
  const node = nodeAt(root, id)
  if (!node) return []
  const kind = kindOf(node)
  if (kind === 'object' || kind === 'struct') return parametersOf(node)
  return id === '' ? [] : usableParameters(root, parentOf(id))
}

/** A text or limit as it was written, with parameters as `{name}`. */
export const writtenAs = (node: ModelNode, key: string): unknown =>
  templateOf(node)[key] ?? node[key]

/** Test for a text that uses parameters of which all are usable at its place. */
export function usesParameters(text: string, usable: readonly Parameter[]) {
  const names = namesUsed(text)
  return names.length > 0 && names.every((name) => usable.some((one) => one.name === name))
}

/** Texts of nodes set as written: with parameters they become a template that fills them. */
export const setWritten = (
  root: ModelNode,
  ids: readonly NodeId[],
  { key, value }: { key: string; value: unknown },
): ModelNode =>
  ids.reduce((tree, id) => {
    const isTemplate =
      typeof value === 'string' && usesParameters(value, usableParameters(tree, id))
    return changeAt(tree, id, (node) => {
      const { [key]: _text, template: _template, ...rest } = node
      const { [key]: _written, ...others } = templateOf(node)
      const template = isTemplate ? { ...others, [key]: value } : others
      return {
        ...rest,
        ...(!isTemplate && isSaid(value) && { [key]: value }),
        ...(Object.keys(template).length > 0 && { template }),
      }
    })
  }, root)

/** Keys of a node; nothing in them takes the key away. */
export const setList = (root: ModelNode, id: NodeId, key: string, value: object): ModelNode =>
  changeAt(root, id, (node) => {
    const { [key]: _before, ...rest } = node
    return Object.keys(value).length === 0 ? rest : { ...rest, [key]: value }
  })

export const argumentsOf = (node: ModelNode): ModelNode =>
  isModelNode(node['arguments']) ? node['arguments'] : {}

const templateOf = ({ template }: ModelNode): ModelNode => (isModelNode(template) ? template : {})
const isSaid = (value: unknown) => value !== undefined && value !== ''
