import { isFixed } from './apply-add.ts'
import { type Board, dropNode, subtreeOf } from './board.ts'
import type { ChangeOf, Made } from './change.ts'
import type { Id } from './id.ts'
import type { Node } from './node.ts'

/** Removes a node and all below it. Pages and root groups stay. */
export function removeNode(board: Board, { id }: ChangeOf<'remove'>, touched: Set<Id>): Made {
  const node = board.nodes.get(id)
  if (!node) return 'gone'
  if (isFixed(board, node)) return 'fixed'
  if (node.parent !== null) touched.add(node.parent)
  return takeOut(board, node, touched).map((gone) => ({ op: 'add', node: gone }))
}

/** Takes a node and all below it out of a board, and answers them, each parent before its children. */
export function takeOut(board: Board, node: Node, touched: Set<Id>): Node[] {
  const gone = subtreeOf(board, node)
  for (const one of gone.toReversed()) {
    dropNode(board, one)
    touched.add(one.id)
  }
  return gone
}
