import { applyChanges } from '@longreach/board/apply'
import { type Board, openBoard } from '@longreach/board/board'
import { readDocumentText } from '@longreach/board/read'
import type { Kysely } from 'kysely'
import type { DashboardsDb, DraftRow } from '../database.ts'

type Place = Pick<DraftRow, 'item' | 'snapshot' | 'snapshot_revision'>

/**
 * Board of a draft at a revision: its snapshot with the changes behind it, or without those that came after.
 * Throws when its stored text is no board, which only a fault of the server can bring about.
 */
export async function boardAt(
  db: Kysely<DashboardsDb>,
  draft: Place,
  revision: number,
): Promise<Board> {
  const read = readDocumentText(draft.snapshot)
  if (!read.ok) throw new Error(`the draft of ${draft.item} is no board: ${read.issues[0]?.code}`)
  const board = openBoard(read.document)
  const isLater = revision >= draft.snapshot_revision
  const rows = await db
    .selectFrom('draft_change')
    .select(['changes', 'inverse', 'revision'])
    .where('item', '=', draft.item)
    .where('revision', '>', isLater ? draft.snapshot_revision : revision)
    .where('revision', '<=', isLater ? revision : draft.snapshot_revision)
    .orderBy('revision', isLater ? 'asc' : 'desc')
    .execute()
  for (const { changes, inverse } of rows) applyChanges(board, isLater ? changes : inverse)
  return board
}
