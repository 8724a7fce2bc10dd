import { addNode } from './apply-add.ts'
import { moveNode } from './apply-move.ts'
import { changePages } from './apply-page.ts'
import { removeNode } from './apply-remove.ts'
import { setValue } from './apply-set.ts'
import { changeType } from './apply-type.ts'
import type { Board } from './board.ts'
import type { Change, DropCode, Made } from './change.ts'
import type { Id } from './id.ts'

/** Result of changes: those that undo them, in their order, what was left out, and the ids of what changed. */
type Applied = {
  inverse: Change[]
  dropped: { index: number; code: DropCode }[]
  /** Ids of nodes that are new, gone or different, or whose children are; `@` is the document. */
  touched: Set<Id>
}

/**
 * Makes changes to a board one after the other, the same way at the server and in each editor. A change that
 * does not fit (its node is gone, it would move a group into itself, it breaks a limit) is left out.
 */
export function applyChanges(board: Board, changes: readonly Change[]): Applied {
  const inverse: Change[][] = []
  const dropped: Applied['dropped'] = []
  const touched = new Set<Id>()
  for (const [index, change] of changes.entries()) {
    const made = makeChange(board, change, touched)
    if (typeof made === 'string') dropped.push({ index, code: made })
    else inverse.push(made)
  }
  return { inverse: inverse.toReversed().flat(), dropped, touched }
}

function makeChange(board: Board, change: Change, touched: Set<Id>): Made {
  switch (change.op) {
    case 'add':
      return addNode(board, change, touched)
    case 'remove':
      return removeNode(board, change, touched)
    case 'move':
      return moveNode(board, change, touched)
    case 'set':
      return setValue(board, change, touched)
    case 'page':
      return changePages(board, change, touched)
    case 'type':
      return changeType(board, change, touched)
  }
}
