import {
  childrenOf as modelChildrenOf,
  isModelNode as isTree,
  itemName,
  type ModelNode,
  modelPathOf,
  nameOf,
  nodesOf,
  parentOf,
  stepsOf,
} from '../../parts/models/model-tree-rules.ts'

/** A node of a model or preset as the server keeps it. */
export type Tree = ModelNode

type RowKind = 'object' | 'array' | 'struct' | 'leaf' | 'field'
/** A line of the editor: a node of the model. */
export type Row = {
  /** Path below the model's name: `zones[*]/temperature`. */
  path: string
  /** The way from the root; an item of an array is `[*]`. */
  keys: readonly string[]
  name: string
  kind: RowKind
  type: string
  /** Number of arrays that contain it. */
  indexes: number
  label?: string
  unit?: string
  /** Of an array. */
  length?: number
}

/** A linked value of a preset. */
export type Leaf = Tree & {
  mode?: 'R' | 'RW'
  historyPolicy?: { enabled: boolean; limit?: string; compressionStrategy?: string }
  sendPolicy?: Policy
  datalink?: { source?: unknown; type?: string }
}
export type Trigger = Tree & { type: string }
export type Condition = Tree & { type: string; operands?: readonly Condition[] }
export type Policy = { triggers?: readonly Trigger[]; conditions?: Condition | null }

const nonEmptyText = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Every node of a model that means something to a preset, in its order; the model itself left out. */
export function rowsOf(model: Tree): Row[] {
  const nodes = nodesOf(model)
  const byId = new Map(nodes.map(({ id, node }) => [id, node]))
  return nodes.flatMap(({ id, node }) => {
    // An item that is an object is only what its values are in.
    if (id === '' || (nameOf(id) === itemName && node['type'] === 'object')) return []
    const keys = stepsOf(id)
    const indexes = keys.filter((key) => key === itemName).length
    const row = rowOf(node, { path: modelPathOf(id), keys, indexes }, nameOf(id))
    const inStruct = byId.get(parentOf(id))?.['type'] === 'struct'
    return [inStruct ? { ...row, kind: 'field' as const } : row]
  })
}

type Place = Pick<Row, 'path' | 'keys' | 'indexes'>

function rowOf(node: Tree, place: Place, name: string): Row {
  const type = String(node['type'])
  const kind = type === 'object' || type === 'array' || type === 'struct' ? type : 'leaf'
  const label = nonEmptyText(node['label'])
  const unit = nonEmptyText(node['unit'])
  const { length } = node
  return {
    ...place,
    name,
    kind,
    type,
    ...(label !== undefined && { label }),
    ...(unit !== undefined && { unit }),
    ...(typeof length === 'number' && { length }),
  }
}

/** The properties of an object or a struct. */
export const childrenOf = (node: Tree): Record<string, Tree> =>
  node['type'] === 'array' ? {} : Object.fromEntries(modelChildrenOf(node))

const childAt = (node: Tree | undefined, key: string): Tree | undefined =>
  node && Object.fromEntries(modelChildrenOf(node))[key]

/** The preset's node for a line; undefined when the preset has none. */
export const nodeAt = (preset: Tree, keys: readonly string[]): Leaf | undefined =>
  keys.reduce<Tree | undefined>(childAt, preset)

/** The tag that a node is linked to. */
export function sourceOf(node: Leaf | undefined): string | undefined {
  const { datalink } = node ?? {}
  return datalink?.type === 'formula' ? undefined : nonEmptyText(datalink?.source)
}

/** The formula of a node. */
export function formulaOf(node: Leaf | undefined): string | undefined {
  const { datalink } = node ?? {}
  if (datalink?.type !== 'formula') return undefined
  let inner: unknown = datalink.source
  for (const key of ['functions', 'formula', 'map']) inner = isTree(inner) ? inner[key] : undefined
  return typeof inner === 'string' ? inner : ''
}

export const formulaLink = (map: string) => ({
  type: 'formula',
  source: { functions: { formula: { map } } },
})

/** Default policy of sending a value: on change, at most once a second. */
export const usualPolicy: Policy = {
  triggers: [{ type: 'onchange', changeMask: 'value', minIntervalMs: 1000, skipFirstNChanges: 0 }],
}

/** Settings of a value, apart from its link, when it is linked for the first time. */
export const freshLeaf = (model: Tree): Leaf => ({
  version: nonEmptyText(model['version']) ?? '1.0.0',
  type: model['type'],
  ...(nonEmptyText(model['instanceOf']) !== undefined && { instanceOf: model['instanceOf'] }),
  mode: 'R',
  historyPolicy: { enabled: true },
  sendPolicy: usualPolicy,
})

/**
 * The preset with another node at a place, or without one. Nodes that hold nothing any more go; what
 * is made stands in the model's order, and everything else stays as it was posted.
 */
export function withNode(
  preset: Tree,
  model: Tree,
  keys: readonly string[],
  node: Tree | undefined,
): Tree {
  return put(preset, model, keys, node) ?? { ...preset, properties: {} }
}

function put(
  node: Tree | undefined,
  model: Tree,
  [key, ...rest]: readonly string[],
  value: Tree | undefined,
): Tree | undefined {
  if (key === undefined) return value
  const modelled = childAt(model, key)
  if (!modelled) return node
  const child = put(childAt(node, key), modelled, rest, value)
  if (model['type'] === 'array') return child && { ...(node ?? shellOf(model)), item: child }
  const properties = ordered({ ...childrenOf(node ?? {}), [key]: child }, model)
  return Object.keys(properties).length === 0
    ? undefined
    : { ...(node ?? shellOf(model)), properties }
}

const ordered = (children: Record<string, Tree | undefined>, model: Tree) => {
  const places = new Map(Object.keys(childrenOf(model)).map((name, index) => [name, index]))
  const place = (name: string) => places.get(name) ?? places.size
  return Object.fromEntries(
    Object.entries(children)
      .filter((entry): entry is [string, Tree] => entry[1] !== undefined)
      .toSorted(([one], [other]) => place(one) - place(other)),
  )
}

/** A node around others as a preset has it: clients refuse keys that they do not know. */
const shellOf = (model: Tree): Tree =>
  Object.fromEntries(
    ['type', 'instanceOf', 'version', 'length']
      .filter((key) => model[key] !== undefined && model[key] !== null)
      .map((key) => [key, model[key]]),
  )

/** A preset without any link for a model. */
export const emptyPreset = (model: Tree, uuid: string): Tree => ({
  type: 'object',
  instanceOf: model['instanceOf'],
  UUID: uuid,
  label: '',
  unit: '',
  description: '',
  tags: [],
  properties: {},
})
