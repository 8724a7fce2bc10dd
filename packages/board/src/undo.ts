import { applyChanges } from './apply.ts'
import type { Board } from './board.ts'
import { type Change, documentId } from './change.ts'
import { fieldOf, isEqualJson, isObject, type Json } from './json.ts'

/** Change that was made, with those that undo it. */
type Step = { change: Change; inverse: readonly Change[] }

/** Changes made one by one, so that each can be undone by itself. */
export const makeSteps = (board: Board, changes: readonly Change[]): Step[] =>
  changes.flatMap((change): Step[] => {
    const { inverse, dropped } = applyChanges(board, [change])
    return dropped.length > 0 || inverse.length === 0 ? [] : [{ change, inverse }]
  })

/**
 * Changes that undo steps, the last first, without those whose result somebody has changed since: these are
 * counted as skipped.
 */
export function undoOf(board: Board, steps: readonly Step[]) {
  const kept = steps.filter(({ change }, index) => {
    const isReplaced = steps.slice(index + 1).some((later) => isChangedAgain(change, later.change))
    return isReplaced || isAsMade(board, change)
  })
  return {
    changes: kept.toReversed().flatMap(({ inverse }) => inverse),
    skipped: steps.length - kept.length,
  }
}

/** Test for a later step of the same command that has changed the same again. */
function isChangedAgain(one: Change, later: Change) {
  if (one.op === 'set' && later.op === 'set') {
    return one.id === later.id && one.path.every((key, index) => (later.path[index] ?? key) === key)
  }
  return one.op === later.op && 'id' in one && 'id' in later && one.id === later.id
}

function isAsMade(board: Board, change: Change): boolean {
  switch (change.op) {
    case 'set':
      return isSetAsMade(board, change)
    case 'move': {
      const node = board.nodes.get(change.id)
      if (node?.parent !== change.parent || node.order !== change.order) return false
      return change.box === undefined || isEqualJson(node.box, change.box)
    }
    case 'type':
      return board.nodes.get(change.id)?.type === change.type
    case 'add':
      return board.nodes.has(change.node.id)
    case 'remove':
    case 'page':
      return true
  }
}

function isSetAsMade(board: Board, { id, path, value }: Extract<Change, { op: 'set' }>) {
  const target = id === documentId ? board.head : board.nodes.get(id)
  return target !== undefined && isEqualJson(valueAt(target as unknown as Json, path), value)
}

/** Value at a place, with ids of items as keys of lists; undefined if there is none. */
function valueAt(target: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = target
  for (const key of path) {
    if (Array.isArray(value)) value = value.find((item) => isObject(item) && item['id'] === key)
    else value = isObject(value) ? fieldOf(value, key) : undefined
  }
  return value
}
