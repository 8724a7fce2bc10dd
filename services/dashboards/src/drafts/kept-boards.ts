import { applyChanges } from '@longreach/board/apply'
import type { Board } from '@longreach/board/board'
import { createRecentValues } from '@longreach/kit/recent-values'
import type { Kysely } from 'kysely'
import type { DashboardsDb, DraftRow } from '../database.ts'
import { boardAt } from './draft-boards.ts'
import { revisionsAfter } from './draft-store.ts'

type Db = Kysely<DashboardsDb>
type Kept = { revision: number; board: Board }

/** Boards of drafts that a process keeps: reading one of a MiB takes longer than changing it. */
const mostBoards = 50

/**
 * Boards of drafts in memory, each at a revision that is committed. A board that is being changed is not among
 * them: it is kept again when its transaction has ended well.
 */
export function createKeptBoards() {
  const boards = createRecentValues<string, Kept>(mostBoards)
  return {
    /** Board of a locked draft as it is now, to be changed by the caller alone. */
    async take(tx: Db, draft: DraftRow): Promise<Board> {
      const kept = boards.get(draft.item)
      boards.delete(draft.item)
      const board = kept && (await caughtUp(tx, draft, kept))
      return board ?? boardAt(tx, draft, draft.revision)
    },
    keep: (item: string, revision: number, board: Board) => boards.set(item, { revision, board }),
    /** Board of a draft if it is kept at this revision; not to be changed. */
    find(item: string, revision: number): Board | undefined {
      const kept = boards.get(item)
      return kept?.revision === revision ? kept.board : undefined
    },
  }
}
export type KeptBoards = ReturnType<typeof createKeptBoards>

/** Board with what other processes have changed since; undefined if not all of it is known. */
async function caughtUp(tx: Db, draft: DraftRow, { revision, board }: Kept) {
  if (revision === draft.revision) return board
  if (revision > draft.revision) return undefined
  const rows = await revisionsAfter(tx, draft.item, revision)
  if (rows.length !== draft.revision - revision) return undefined
  for (const { changes } of rows) applyChanges(board, changes)
  return board
}
