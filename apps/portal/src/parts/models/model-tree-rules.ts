/** A node of a model as its JSON has it; unknown keys stay where they are. */
export type ModelNode = Readonly<Record<string, unknown>>
export type NodeKind = 'object' | 'struct' | 'array' | 'leaf'
/** Path of a node: names from the root, `[*]` for the item of an array. The root is ''. */
export type NodeId = string

/** A visible line of the tree, with what the ARIA tree pattern asks for. */
export type TreeRow = {
  id: NodeId
  /** Property name; '' for the root, `[*]` for the item of an array. */
  name: string
  kind: NodeKind
  node: ModelNode
  /** From 1. */
  level: number
  position: number
  siblings: number
  /** Undefined: there is nothing to open. */
  open: boolean | undefined
}

/** Data types of a leaf. */
export const datatypes = [
  'double',
  'integer',
  'boolean',
  'string',
  'doublearray',
  'integerarray',
  'booleanarray',
  'binaryblob',
  'bytestring',
] as const

const step = '\n'
export const itemName = '[*]'

export const isModelNode = (value: unknown): value is ModelNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function kindOf({ type }: ModelNode): NodeKind {
  return type === 'object' || type === 'struct' || type === 'array' ? type : 'leaf'
}

export const stepsOf = (id: NodeId) => (id === '' ? [] : id.split(step))
export const idOf = (steps: readonly string[]): NodeId => steps.join(step)
export const childId = (parent: NodeId, name: string) => idOf([...stepsOf(parent), name])
export const parentOf = (id: NodeId) => idOf(stepsOf(id).slice(0, -1))
export const nameOf = (id: NodeId) => stepsOf(id).at(-1) ?? ''
export const isInside = (id: NodeId, of: NodeId) =>
  of === '' ? id !== '' : id.startsWith(`${of}${step}`)

/** Path of a node as services name it: `zones[*]/heater/power`. */
export const modelPathOf = (id: NodeId) =>
  stepsOf(id).reduce((path, name) => {
    if (name === itemName) return `${path}${itemName}`
    return path === '' ? name : `${path}/${name}`
  }, '')

/** Names and nodes directly below a node. */
export function childrenOf(node: ModelNode): [string, ModelNode][] {
  const { properties, item } = node
  if (kindOf(node) === 'array') return isModelNode(item) ? [[itemName, item]] : []
  if (!isModelNode(properties)) return []
  return Object.entries(properties).filter((entry): entry is [string, ModelNode] =>
    isModelNode(entry[1]),
  )
}

/** The node at a place; undefined when there is none. */
export function nodeAt(root: ModelNode, id: NodeId): ModelNode | undefined {
  let node: ModelNode | undefined = root
  for (const name of stepsOf(id)) {
    node = node && childrenOf(node).find(([one]) => one === name)?.[1]
  }
  return node
}

/** All nodes with their places, parents first. */
export function nodesOf(root: ModelNode, id: NodeId = ''): { id: NodeId; node: ModelNode }[] {
  return [
    { id, node: root },
    ...childrenOf(root).flatMap(([name, child]) => nodesOf(child, childId(id, name))),
  ]
}

/** The place that a path of the server's problems means: `properties.zone.properties.t.unit`. */
export function idOfIssue(root: ModelNode, path: string): NodeId {
  let [node, id, rest] = [root, '', path]
  for (;;) {
    const isArray = kindOf(node) === 'array'
    const after = isArray ? following(rest, 'item') : following(rest, 'properties')
    if (after === undefined) return id
    // The longest name first: names may hold dots while they are wrong.
    const found = childrenOf(node)
      .filter(([name]) => isArray || after === name || after.startsWith(`${name}.`))
      .toSorted(([one], [other]) => other.length - one.length)[0]
    if (!found) return id
    const [name, child] = found
    id = childId(id, name)
    rest = isArray ? after : after.slice(name.length + 1)
    node = child
  }
}

function following(path: string, key: string) {
  if (path === key) return ''
  return path.startsWith(`${key}.`) ? path.slice(key.length + 1) : undefined
}

type Shown = {
  /** Closed nodes; everything else is open. */
  closed: ReadonlySet<NodeId>
  /** Only what holds this text, with what it is in; then nothing is closed. */
  filter?: string
}

/** The visible lines of a tree, in order. */
export function rowsOf(root: ModelNode, { closed, filter = '' }: Shown): TreeRow[] {
  const text = filter.trim().toLocaleLowerCase()
  const rows: TreeRow[] = []
  const visit = (node: ModelNode, place: Omit<TreeRow, 'node' | 'kind' | 'open'>): boolean => {
    const children = childrenOf(node)
    const open = children.length === 0 ? undefined : text !== '' || !closed.has(place.id)
    const at = rows.length
    rows.push({ ...place, node, kind: kindOf(node), open })
    let found = text === '' || isFound(place.name, node, text)
    if (open) {
      for (const [index, [name, child]] of children.entries()) {
        const inside = visit(child, {
          id: childId(place.id, name),
          name,
          level: place.level + 1,
          position: index + 1,
          siblings: children.length,
        })
        found ||= inside
      }
    }
    if (!found) rows.length = at
    return found
  }
  const all = visit(root, { id: '', name: '', level: 1, position: 1, siblings: 1 })
  return all ? rows : []
}

function isFound(name: string, { label, unit, description, type, tags }: ModelNode, text: string) {
  const words = [name, label, unit, description, type, ...(Array.isArray(tags) ? tags : [])]
  return words.some((word) => typeof word === 'string' && word.toLocaleLowerCase().includes(text))
}

/** May a node of this kind stand in a container of that kind? An array has its one item already. */
export const mayHold = (container: NodeKind, child: NodeKind) =>
  container === 'object' || (container === 'struct' && child === 'leaf')

/** A property's name: parts of letters, digits and _, flat ones joined by /. */
export const isName = (text: string) =>
  /^[a-zA-Z_][a-zA-Z0-9_]*(?:\/[a-zA-Z_][a-zA-Z0-9_]*){0,61}$/.test(text)
