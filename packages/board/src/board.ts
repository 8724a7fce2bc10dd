import { partsOfBinding } from './binding.ts'
import type { Document } from './document.ts'
import type { Id } from './id.ts'
import { toOrderedText } from './json.ts'
import type { GroupNode, Node, PageNode } from './node.ts'
import { compareOrder } from './order.ts'

/** Document without its nodes. */
export type Head = Omit<Document, 'nodes'>

/**
 * Document in memory, changed in place by `applyChanges`. Its head and its nodes themselves are never
 * changed but replaced, so that what is equal by identity has not changed.
 */
export type Board = {
  head: Head
  readonly nodes: Map<Id, Node>
  /** Children of each node that has any. */
  readonly children: Map<Id, Set<Id>>
  /** Bytes of the document as text, about. */
  bytes: number
  /** Number of bindings of all nodes. */
  bindings: number
}

/** Board of a checked document. */
export function openBoard({ nodes, ...head }: Document): Board {
  const board: Board = { head, nodes: new Map(), children: new Map(), bytes: 0, bindings: 0 }
  board.bytes = bytesOf(head)
  for (const node of Object.values(nodes)) putNode(board, node)
  return board
}

/** Document of a board as it is now. */
export const documentOf = ({ head, nodes }: Board): Document => ({
  ...head,
  nodes: Object.fromEntries(nodes),
})

/** Text of a board in which keys are in order: equal boards have equal texts. */
export const textOfBoard = (board: Board) => toOrderedText(documentOf(board))

const encoder = new TextEncoder()

/** Bytes of a value as JSON in UTF-8. */
export const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value) ?? '').length

const bindingsOf = ({ bind }: Node) =>
  Object.values(bind).reduce((sum, binding) => sum + Math.max(1, partsOfBinding(binding).length), 0)

/** Puts a node in the place of the one with its id, or adds it, and keeps counts and children right. */
export function putNode(board: Board, node: Node) {
  const before = board.nodes.get(node.id)
  if (before) count(board, before, -1)
  count(board, node, 1)
  board.nodes.set(node.id, node)
  if (before?.parent === node.parent) return
  if (before) leaveParent(board, before)
  if (node.parent === null) return
  const among = board.children.get(node.parent)
  if (among) among.add(node.id)
  else board.children.set(node.parent, new Set([node.id]))
}

/** Takes a node out; its children have to be gone. */
export function dropNode(board: Board, node: Node) {
  count(board, node, -1)
  leaveParent(board, node)
  board.nodes.delete(node.id)
}

function leaveParent(board: Board, { id, parent }: Node) {
  if (parent === null) return
  const among = board.children.get(parent)
  among?.delete(id)
  if (among?.size === 0) board.children.delete(parent)
}

function count(board: Board, node: Node, sign: 1 | -1) {
  board.bytes += sign * bytesOf(node)
  board.bindings += sign * bindingsOf(node)
}

/** Children of a node in their order. */
export function childrenOf(board: Board, id: Id): Node[] {
  const ids = board.children.get(id)
  if (!ids) return []
  return [...ids].flatMap((child) => board.nodes.get(child) ?? []).toSorted(compareOrder)
}

/** A node and all below it, each parent before its children. */
export function subtreeOf(board: Board, top: Node): Node[] {
  const found = [top]
  for (const node of found) found.push(...childrenOf(board, node.id))
  return found
}

/** Pages in their order. */
export const pagesOf = (board: Board): PageNode[] =>
  board.head.pages.flatMap((id) => {
    const node = board.nodes.get(id)
    return node?.kind === 'page' ? [node] : []
  })

/** Root group of a page. */
export function rootOf(board: Board, page: Id): GroupNode | undefined {
  const [root] = childrenOf(board, page)
  return root?.kind === 'group' ? root : undefined
}

/** Ids of the nodes above one, the nearest first. */
export function aboveOf(board: Board, node: Node): Id[] {
  const above: Id[] = []
  for (let parent = node.parent; parent !== null && above.length <= board.nodes.size;) {
    above.push(parent)
    parent = board.nodes.get(parent)?.parent ?? null
  }
  return above
}

/** Test for the root group of a page. */
export const isRoot = (board: Board, { parent }: Node) =>
  parent !== null && board.nodes.get(parent)?.kind === 'page'
