import fc from 'fast-check'
import { childrenOf, type Board } from './board.ts'
import type { Change } from './change.ts'
import type { Id } from './id.ts'
import { newDocument, newPage } from './new-document.ts'
import { type GroupNode, Node, type WidgetNode } from './node.ts'
import { orderBetween } from './order.ts'

/** Document with a fixed page `page` and root group `root`, for tests. */
export function smallDocument() {
  const document = newDocument()
  const { page, root } = newPage('One')
  document.pages = ['page']
  document.nodes = {
    page: { ...page, id: 'page' },
    root: { ...root, id: 'root', parent: 'page' },
  }
  return document
}

/** Widget as a document has it. */
export const widget = (id: Id, given: Partial<WidgetNode> = {}): Node =>
  Node.parse({ id, kind: 'widget', type: 'value', parent: 'root', order: 'V', ...given })

/** Group as a document has it. */
export const group = (id: Id, given: Partial<GroupNode> = {}): Node =>
  Node.parse({ id, kind: 'group', type: 'group', parent: 'root', order: 'V', ...given })

/** Choice of a change by numbers alone, so that it can be made for a board as it is then. */
export type Pick = { op: number; one: number; other: number; value: number }

/** Choices of changes. */
export const picks = (most: number): fc.Arbitrary<Pick[]> => {
  const number = fc.nat({ max: 1_000_000 })
  return fc.array(
    fc.record({ op: fc.nat({ max: 18 }), one: number, other: number, value: number }),
    {
      maxLength: most,
    },
  )
}

const at = <Item>(items: readonly Item[], index: number) => items[index % items.length]

/** Change of a choice for a board: what it names is there, mostly, so that it is seldom left out. */
export function changeFor(board: Board, pick: Pick, prefix = 'made'): Change {
  const nodes = [...board.nodes.values()]
  const groups = nodes.filter(({ kind }) => kind === 'group')
  // Mostly one of the newest, so that changes meet each other.
  const among = pick.value % 4 === 0 ? nodes : nodes.slice(-4)
  const node = at(among, pick.one)?.id ?? 'none'
  const parent = at(pick.value % 4 === 1 ? groups : groups.slice(-2), pick.other)?.id ?? 'none'
  const order = orderIn(board, parent, pick.value)
  const id = `${prefix}${pick.value % 997}`
  const changes: (() => Change)[] = [
    () => ({ op: 'add', node: widget(id, { parent, order }) }),
    () => ({ op: 'add', node: widget(id, { parent, order }) }),
    () => ({ op: 'add', node: group(id, { parent, order }) }),
    () => ({ op: 'add', node: group(id, { parent, order }) }),
    () => ({ op: 'remove', id: node }),
    () => ({ op: 'move', id: node, parent, order }),
    () => ({ op: 'move', id: node, parent, order }),
    () => ({ op: 'move', id: node, parent, order, box: { x: 1, y: 2, w: 3, h: 4, r: 5 } }),
    () => ({ op: 'type', id: node, type: `type${pick.value % 3}` }),
    () => pageFor(board, pick, id),
    () => settingOfHead(pick),
  ]
  return changes[pick.op]?.() ?? settingOfNode(node, pick)
}

function orderIn(board: Board, parent: Id, value: number) {
  const among = childrenOf(board, parent)
  const place = value % (among.length + 1)
  return orderBetween(among[place - 1]?.order, among[place]?.order)
}

function pageFor(board: Board, { one, other, value }: Pick, id: Id): Change {
  const { pages } = board.head
  const page = at(pages, one) ?? 'none'
  const before = at([...pages, 'none'], other) ?? 'none'
  if (value % 3 === 0) return { op: 'page', do: { do: 'remove', page } }
  if (value % 3 === 1) return { op: 'page', do: { do: 'move', page, before } }
  const made = newPage('More')
  const root = { ...made.root, id: `r${id}`, parent: `p${id}` }
  return { op: 'page', do: { do: 'add', page: { ...made.page, id: `p${id}` }, root, before } }
}

function settingOfHead({ one, value }: Pick): Change {
  const path = at(
    [['settings', 'maxHz'], ['slots', 'oven'], ['slots', 'oven', 'label'], ['settings']],
    one,
  )
  const set = { op: 'set', id: '@', path: [...(path ?? [])] } satisfies Change
  if (value % 4 === 0) return set
  const values = [(value % 19) + 1, { label: `Oven ${value}` }, `Oven ${value}`, {}]
  return { ...set, value: values[one % 4] ?? null }
}

function settingOfNode(id: Id, { one, other, value }: Pick): Change {
  const item = `item${value % 3}`
  const choices: { path: string[]; value?: unknown; before?: string }[] = [
    { path: ['name'], value: `Name ${value}` },
    { path: ['props', 'label'], value: `Label ${value}` },
    { path: ['props', 'label'] },
    { path: ['props', 'deep', 'er'], value },
    { path: ['props', 'deep', `key${value % 3}`] },
    { path: ['props', 'list'], value: [{ id: 'item0' }, { id: 'item1', n: 1 }, { id: 'item2' }] },
    { path: ['props', 'list', item], value: { id: item, n: value } },
    { path: ['props', 'list', item], value: { id: item, n: value }, before: `item${other % 3}` },
    { path: ['props', 'list', item] },
    { path: ['props', 'list', item, 'n'], value: other },
    { path: ['bind', 'value'], value: { var: { name: `v${value % 7}` } } },
    { path: ['bind', 'value'] },
    { path: ['box', 'x'], value: value % 20_000 },
    { path: ['look'] },
    { path: ['look', 'radius'], value: value % 80 },
    { path: ['hide'], value: value % 2 === 0 },
  ]
  return { op: 'set', id, ...choices[(one + other) % choices.length] } as Change
}
