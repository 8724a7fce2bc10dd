import { isFixed, roomFault } from './apply-add.ts'
import { aboveOf, type Board, putNode } from './board.ts'
import type { ChangeOf, DropCode, Made } from './change.ts'
import { depthBelow, levelOf } from './depth.ts'
import type { Id } from './id.ts'
import { isEqualJson } from './json.ts'
import { boardLimits } from './limits.ts'
import type { Node } from './node.ts'

/** Moves a node to a place in a group, with another box if one is given; never into itself. */
export function moveNode(board: Board, change: ChangeOf<'move'>, touched: Set<Id>): Made {
  const node = board.nodes.get(change.id)
  const parent = board.nodes.get(change.parent)
  if (!node) return 'gone'
  const fault = faultOfMove(board, node, parent)
  if (fault) return fault
  if (node.kind === 'page') return 'fixed'
  const moved: Node = {
    ...node,
    parent: change.parent,
    order: change.order,
    box: change.box ?? node.box,
  }
  if (isSamePlace(node, moved)) return []
  const noRoom = roomFault(board, moved)
  if (noRoom) return noRoom
  putNode(board, moved)
  touched.add(node.id).add(change.parent)
  if (node.parent === null) return []
  touched.add(node.parent)
  const { id, parent: from, order, box } = node
  return [{ op: 'move', id, parent: from, order, ...(change.box && { box }) }]
}

const isSamePlace = (one: Node, other: Node) =>
  one.parent === other.parent && one.order === other.order && isEqualJson(one.box, other.box)

function faultOfMove(board: Board, node: Node, parent: Node | undefined): DropCode | undefined {
  if (isFixed(board, node)) return 'fixed'
  if (parent?.kind !== 'group') return 'no_parent'
  if (parent.id === node.id || aboveOf(board, parent).includes(node.id)) return 'into_itself'
  const isDeep = levelOf(board, parent) + depthBelow(board, node) > boardLimits.depth
  return node.parent !== parent.id && isDeep ? 'too_deep' : undefined
}
