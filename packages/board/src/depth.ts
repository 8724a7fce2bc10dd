import { aboveOf, type Board, childrenOf } from './board.ts'
import type { Node } from './node.ts'

/** Level of a group: the root group of a page is 1. */
export const levelOf = (board: Board, node: Node) => aboveOf(board, node).length

/** Levels of groups in a node, itself included; a widget has none. */
export function depthBelow(board: Board, node: Node): number {
  if (node.kind === 'widget') return 0
  let levels = 0
  let row: Node[] = [node]
  while (row.length > 0) {
    levels += 1
    row = row.flatMap(({ id }) => childrenOf(board, id)).filter(({ kind }) => kind !== 'widget')
  }
  return levels
}
