import {
  childId,
  childrenOf,
  idOf,
  isInside,
  itemName,
  kindOf,
  mayHold,
  type ModelNode,
  nameOf,
  nodeAt,
  type NodeId,
  parentOf,
  stepsOf,
} from '../../parts/models/model-tree-rules.ts'

/** A tree after a change, and the nodes that are chosen then. */
export type Edited = { root: ModelNode; chosen: NodeId[] }

/** The tree with one node changed; everything else is the same object as before. */
export function changeAt(
  root: ModelNode,
  id: NodeId,
  change: (node: ModelNode) => ModelNode,
): ModelNode {
  const [name, ...rest] = stepsOf(id)
  if (name === undefined) return change(root)
  const inside = (child: ModelNode) => changeAt(child, idOf(rest), change)
  const children = childrenOf(root)
  if (!children.some(([one]) => one === name)) return root
  return withChildren(
    root,
    children.map(([one, child]) => [one, one === name ? inside(child) : child]),
  )
}

function withChildren(node: ModelNode, children: readonly [string, ModelNode][]): ModelNode {
  if (kindOf(node) === 'array') return { ...node, item: children[0]?.[1] }
  return { ...node, properties: Object.fromEntries(children) }
}

/** Set these keys of nodes; undefined or nothing takes a key away, as a model says nothing by leaving it out. */
export const setKeys = (root: ModelNode, ids: readonly NodeId[], keys: ModelNode) =>
  ids.reduce(
    (tree, id) =>
      changeAt(tree, id, (node) =>
        Object.fromEntries(Object.entries({ ...node, ...keys }).filter(([, one]) => isSaid(one))),
      ),
    root,
  )
const isSaid = (value: unknown) =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

/** A name that none of these have: `pump`, `pump_2`. */
export function freeName(taken: readonly string[], wanted: string) {
  const base = wanted.replace(/_\d+$/, '')
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${base}_${count}`
    if (!taken.includes(name)) return name
  }
}

/** Place of a new node while another is chosen: in the chosen one, else beside it or beside a node above it. */
export function placeFor(root: ModelNode, id: NodeId, node: ModelNode) {
  const chosen = nodeAt(root, id)
  if (chosen && mayHold(kindOf(chosen), kindOf(node))) {
    return { parent: id, index: childrenOf(chosen).length }
  }
  let below = id
  while (below !== '') {
    const parent = parentOf(below)
    const holder = nodeAt(root, parent)
    if (holder && mayHold(kindOf(holder), kindOf(node))) {
      const index = childrenOf(holder).findIndex(([name]) => name === nameOf(below)) + 1
      return { parent, index }
    }
    below = parent
  }
  return { parent: '', index: childrenOf(root).length }
}

type Place = { parent: NodeId; index: number }

/** Put a node under a name that is free. */
export function insert(
  root: ModelNode,
  { parent, index }: Place,
  [wanted, node]: readonly [string, ModelNode],
): Edited {
  let name = wanted
  const next = changeAt(root, parent, (holder) => {
    const children = childrenOf(holder)
    name = freeName(
      children.map(([one]) => one),
      wanted,
    )
    return withChildren(holder, children.toSpliced(index, 0, [name, node]))
  })
  return { root: next, chosen: [childId(parent, name)] }
}

/** Take nodes away; the item of an array and the root stay. Chosen is then what stood beside them. */
export function remove(root: ModelNode, ids: readonly NodeId[]): Edited {
  const gone = outermost(ids).filter(isMovable)
  const first = gone[0]
  const next = gone.reduce(
    (tree, id) =>
      changeAt(tree, parentOf(id), (holder) =>
        withChildren(
          holder,
          childrenOf(holder).filter(([name]) => name !== nameOf(id)),
        ),
      ),
    root,
  )
  if (first === undefined) return { root, chosen: [...ids] }
  const parent = parentOf(first)
  const names = childrenOf(nodeAt(root, parent) ?? root).map(([name]) => name)
  const left = childrenOf(nodeAt(next, parent) ?? next).map(([name]) => name)
  const following = names.slice(names.indexOf(nameOf(first))).find((name) => left.includes(name))
  const beside = following ?? left.at(-1)
  return { root: next, chosen: [beside === undefined ? parent : childId(parent, beside)] }
}

/** Can this node be renamed, moved and taken away? */
export const isMovable = (id: NodeId) => id !== '' && nameOf(id) !== itemName

/** Without those that are in others of them. */
const outermost = (ids: readonly NodeId[]) =>
  ids.filter((id) => !ids.some((other) => isInside(id, other)))

/** Another name; the same tree when it is taken. */
export function rename(root: ModelNode, id: NodeId, name: string): Edited {
  const parent = parentOf(id)
  const holder = nodeAt(root, parent)
  const taken = holder && childrenOf(holder).some(([one]) => one === name)
  if (!isMovable(id) || !holder || taken) return { root, chosen: [id] }
  const next = changeAt(root, parent, (node) =>
    withChildren(
      node,
      childrenOf(node).map(([one, child]) => [one === nameOf(id) ? name : one, child]),
    ),
  )
  return { root: next, chosen: [childId(parent, name)] }
}

/** Copies of nodes, each after the one that it is of. */
export function duplicate(root: ModelNode, ids: readonly NodeId[]): Edited {
  const chosen: NodeId[] = []
  let tree = root
  for (const id of outermost(ids).filter(isMovable)) {
    const node = nodeAt(tree, id)
    if (!node) continue
    const edited = insert(tree, afterwards(tree, id), [nameOf(id), node])
    tree = edited.root
    chosen.push(...edited.chosen)
  }
  return { root: tree, chosen: chosen.length > 0 ? chosen : [...ids] }
}

function afterwards(root: ModelNode, id: NodeId): Place {
  const parent = parentOf(id)
  const siblings = childrenOf(nodeAt(root, parent) ?? root)
  return { parent, index: siblings.findIndex(([name]) => name === nameOf(id)) + 1 }
}

/** May these nodes go into this one? */
export function mayMove(root: ModelNode, ids: readonly NodeId[], parent: NodeId) {
  const holder = nodeAt(root, parent)
  if (!holder) return false
  return outermost(ids).every((id) => {
    const node = nodeAt(root, id)
    if (!node || !isMovable(id) || id === parent || isInside(parent, id)) return false
    return mayHold(kindOf(holder), kindOf(node))
  })
}

/** Move nodes to a place; a name that is taken there gets a number. */
export function move(root: ModelNode, ids: readonly NodeId[], { parent, index }: Place): Edited {
  if (!mayMove(root, ids, parent)) return { root, chosen: [...ids] }
  const moved = outermost(ids).flatMap((id) => {
    const node = nodeAt(root, id)
    return node ? [{ id, node }] : []
  })
  const names = childrenOf(nodeAt(root, parent) ?? root).map(([name]) => name)
  const before = names.slice(0, index)
  const earlier = moved.filter(({ id }) => parentOf(id) === parent && before.includes(nameOf(id)))
  let tree = moved.reduce((now, { id }) => remove(now, [id]).root, root)
  let at = index - earlier.length
  const chosen: NodeId[] = []
  for (const { id, node } of moved) {
    const edited = insert(tree, { parent, index: at }, [nameOf(id), node])
    tree = edited.root
    chosen.push(...edited.chosen)
    at += 1
  }
  return { root: tree, chosen }
}

/** Move one node by keyboard: among its neighbours, out of what it is in, or into the neighbour above. */
export function moveBy(
  root: ModelNode,
  id: NodeId,
  direction: 'up' | 'down' | 'out' | 'in',
): Edited {
  const parent = parentOf(id)
  const siblings = childrenOf(nodeAt(root, parent) ?? root).map(([name]) => name)
  const at = siblings.indexOf(nameOf(id))
  if (direction === 'up')
    return at > 0 ? move(root, [id], { parent, index: at - 1 }) : same(root, id)
  if (direction === 'down') {
    return at < siblings.length - 1 ? move(root, [id], { parent, index: at + 2 }) : same(root, id)
  }
  if (direction === 'out') {
    return parent === '' ? same(root, id) : move(root, [id], afterwards(root, parent))
  }
  const above = siblings[at - 1]
  if (above === undefined) return same(root, id)
  const into = childId(parent, above)
  const holder = nodeAt(root, into)
  return move(root, [id], { parent: into, index: holder ? childrenOf(holder).length : 0 })
}
const same = (root: ModelNode, id: NodeId): Edited => ({ root, chosen: [id] })

/** A fresh node of a kind or datatype. */
export function freshNode(type: string): ModelNode {
  if (type === 'array') return { type, length: 2, item: { type: 'double' } }
  if (type === 'object' || type === 'struct') return { type, properties: {} }
  return { type }
}

/** The node with another type: words stay, and of structures what both have. */
export function retyped(node: ModelNode, type: string): ModelNode {
  const own = keysOf(type)
  const words = Object.entries(node).filter(
    ([key]) => key !== 'type' && (!shapeKeys.includes(key) || own.includes(key)),
  )
  return { ...freshNode(type), ...Object.fromEntries(words), type }
}

const shapeKeys = ['properties', 'instanceOf', 'length', 'item', 'min', 'max']
function keysOf(type: string) {
  if (type === 'object' || type === 'struct') return ['properties', 'instanceOf']
  if (type === 'array') return ['length', 'item']
  return isNumeric(type) ? ['min', 'max'] : []
}

/** Do values of this type have limits? */
export const isNumeric = (type: unknown) =>
  typeof type === 'string' && /^(?:double|integer)(?:array)?$/.test(type)
