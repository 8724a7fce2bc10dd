import { isFixed, roomFault } from './apply-add.ts'
import { type Board, putNode } from './board.ts'
import type { ChangeOf, Made } from './change.ts'
import type { Id } from './id.ts'
import { faultOfNode } from './node-fault.ts'

/** Changes the type of a widget or group; its properties stay, those that the new type does not know too. */
export function changeType(board: Board, { id, type }: ChangeOf<'type'>, touched: Set<Id>): Made {
  const node = board.nodes.get(id)
  if (!node) return 'gone'
  if (isFixed(board, node)) return 'fixed'
  if (node.type === type) return []
  const changed = { ...node, type }
  const fault = faultOfNode(changed) ?? roomFault(board, changed)
  if (fault) return fault
  putNode(board, changed)
  touched.add(id)
  return [{ op: 'type', id, type: node.type }]
}
