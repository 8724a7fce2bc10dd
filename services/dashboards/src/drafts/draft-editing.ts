import { applyChanges } from '@longreach/board/apply'
import { type Board, documentOf, openBoard, textOfBoard } from '@longreach/board/board'
import type { Change } from '@longreach/board/change'
import { diff } from '@longreach/board/diff'
import { readDocumentText } from '@longreach/board/read'
import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { dashboardsContract } from '../contract.ts'
import type { DashboardsDb, DraftRow } from '../database.ts'
import type { KeptText } from '../document-text.ts'
import { boardAt } from './draft-boards.ts'
import { insertRevision, lockDraft, updateDraft } from './draft-store.ts'

type Db = Kysely<DashboardsDb>

/** Changes between two snapshots: more would make opening a draft slow. */
const snapshotEvery = 200

/** Session under which the server's own changes stand in the history, each with its revision as its number. */
const serverSession = 'server-0'

type Edit = { session: string; seq: number; label: string; changes: readonly Change[] }

/** Makes changes to a draft that is locked, and keeps them as its next revision if any of them was made. */
export async function editDraft(
  tx: Db,
  ctx: OrgCtx,
  { draft, board }: { draft: DraftRow; board: Board },
  edit: Edit,
) {
  const { inverse, dropped } = applyChanges(board, edit.changes)
  const revision = draft.revision + 1
  const left = new Set(dropped.map(({ index }) => index))
  await insertRevision(tx, {
    ...edit,
    item: draft.item,
    revision,
    author: ctx.caller.sub,
    author_name: ctx.caller.username,
    changes: edit.changes.filter((_, index) => !left.has(index)),
    inverse,
    at: ctx.now,
  })
  const isDue = revision - draft.snapshot_revision >= snapshotEvery
  const snapshot = isDue && { snapshot: textOfBoard(board), snapshot_revision: revision }
  await updateDraft(tx, draft.item, { revision, ...snapshot })
  return { revision, dropped }
}

/** Makes a whole document the draft, as one change, so that it can be undone. */
export async function replaceDraft(
  tx: Db,
  ctx: OrgCtx,
  item: string,
  { text, isForeign, label = 'document' }: KeptText & { label?: string },
): Promise<number> {
  const draft = await lockDraft(tx, item)
  if (draft.is_foreign || isForeign) return replaceText(tx, draft, { text, isForeign })
  const read = readDocumentText(text)
  if (!read.ok) throw new Error(`a checked document of ${item} is no board`)
  const board = await boardAt(tx, draft, draft.revision)
  const changes = diff(documentOf(board), read.document)
  if (changes.length === 0) return draft.revision
  const edit = { session: serverSession, seq: draft.revision + 1, label, changes }
  const { revision } = await editDraft(tx, ctx, { draft, board }, edit)
  // What no change can set, such as fields of a later schema, is in the snapshot.
  if (textOfBoard(board) !== textOfBoard(openBoard(read.document))) {
    await updateDraft(tx, item, { snapshot: text, snapshot_revision: revision })
  }
  return revision
}

/** A document of another program has no changes: its text takes the place of what was there. */
async function replaceText(tx: Db, draft: DraftRow, { text, isForeign }: KeptText) {
  const revision = draft.revision + 1
  await updateDraft(tx, draft.item, {
    snapshot: text,
    snapshot_revision: revision,
    revision,
    is_foreign: isForeign,
  })
  return revision
}

export const foreignDraft = () =>
  failure(dashboardsContract, 'document_foreign', {
    message:
      'This dashboard was made with another program and is kept as it is. Open it as a copy to edit it.',
  })
