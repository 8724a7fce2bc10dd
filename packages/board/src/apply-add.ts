import { type Board, bytesOf, isRoot, putNode, rootOf } from './board.ts'
import type { ChangeOf, DropCode, Made } from './change.ts'
import { depthBelow, levelOf } from './depth.ts'
import type { Id } from './id.ts'
import { boardLimits } from './limits.ts'
import type { Node } from './node.ts'
import { faultOfNode } from './node-fault.ts'

/** Adds a node. If its parent is gone, it goes to the root group of the page that is named, or of the first. */
export function addNode(board: Board, change: ChangeOf<'add'>, touched: Set<Id>): Made {
  const { node } = change
  if (node.kind === 'page') return 'fixed'
  if (board.nodes.has(node.id)) return 'exists'
  const parent = parentFor(board, node, change.page)
  if (!parent) return 'no_parent'
  const placed: Node = node.parent === parent.id ? node : { ...node, parent: parent.id }
  const fault = faultOfNode(placed) ?? roomFault(board, placed)
  if (fault) return fault
  if (levelOf(board, parent) + depthBelow(board, placed) > boardLimits.depth) return 'too_deep'
  putNode(board, placed)
  touched.add(placed.id).add(parent.id)
  return [{ op: 'remove', id: placed.id }]
}

function parentFor(board: Board, { parent }: Node, page: Id | undefined) {
  const wanted = parent === null ? undefined : board.nodes.get(parent)
  if (wanted) return wanted.kind === 'group' ? wanted : undefined
  const own = page === undefined ? undefined : rootOf(board, page)
  const [first] = board.head.pages
  return own ?? (first === undefined ? undefined : rootOf(board, first))
}

/** Limit that a board would break with another node, or with a node in another form. */
export function roomFault(board: Board, node: Node): DropCode | undefined {
  const before = board.nodes.get(node.id)
  if (!before && board.nodes.size >= boardLimits.nodes) return 'too_many_nodes'
  const bindings = Object.keys(node.bind).length
  const grown = bindings - Object.keys(before?.bind ?? {}).length
  if (grown > 0 && board.bindings + grown > boardLimits.bindings) return 'too_many_bindings'
  const bytes = bytesOf(node) - (before ? bytesOf(before) : 0)
  return bytes > 0 && board.bytes + bytes > boardLimits.bytes ? 'too_large' : undefined
}

/** Nodes that stay where they are: pages and their root groups. */
export const isFixed = (board: Board, node: Node) => node.kind === 'page' || isRoot(board, node)
