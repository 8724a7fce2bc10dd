import { applyChanges } from './apply.ts'
import type { Board } from './board.ts'
import type { Change } from './change.ts'
import type { Id } from './id.ts'

/** Changes that this editor has made and the server has not answered yet, with those that undo them. */
export type Unsent = { changes: readonly Change[]; inverse: readonly Change[] }

/**
 * Takes changes into an editor's board in the order of the server: the editor's own unsent ones are undone,
 * these made, the own ones made again without the first `answered` of them, which are among these.
 */
export function rebase(
  board: Board,
  unsent: readonly Unsent[],
  heard: readonly Change[],
  answered = 0,
) {
  const touched = new Set<Id>()
  const make = (changes: readonly Change[]) => {
    const applied = applyChanges(board, changes)
    for (const id of applied.touched) touched.add(id)
    return applied
  }
  for (const { inverse } of unsent.toReversed()) make(inverse)
  make(heard)
  const left = unsent
    .slice(answered)
    .map(({ changes }): Unsent => ({ changes, inverse: make(changes).inverse }))
  return { unsent: left, touched }
}
