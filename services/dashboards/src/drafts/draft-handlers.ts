import { boardLimits } from '@longreach/board/limits'
import { documentOf } from '@longreach/board/board'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { textOfBoard } from '@longreach/board/board'
import { dashboardsContract } from '../contract.ts'
import type { DraftChangeRow, DraftRow } from '../database.ts'
import type { DashboardsDeps } from '../deps.ts'
import { findVersion } from '../document-store.ts'
import { lockItem, noDashboard, noVersion, requireEditor } from '../item-rights.ts'
import type { draftsContract } from './contract.ts'
import { boardAt } from './draft-boards.ts'
import { editDraft, foreignDraft, replaceDraft } from './draft-editing.ts'
import type { KeptBoards } from './kept-boards.ts'
import { findDraft, findSent, lockDraft, revisionsAfter, sizeBehind } from './draft-store.ts'

const historyPage = 100
/** Revisions that an editor may be behind; one that was away for longer loads the draft again. */
const mostMissed = 1_000
const mostMissedBytes = boardLimits.bytes

export function draftHandlers(
  deps: DashboardsDeps & { state: KeptBoards },
): Handlers<typeof draftsContract> {
  const { db, state: boards } = deps
  return {
    dashboardDraft: async ({ params: { id } }, ctx) => {
      await requireEditor(deps, ctx, id)
      const draft = await findDraft(db, id)
      if (draft.is_foreign) throw foreignDraft()
      const { revision } = draft
      const board = boards.find(id, revision) ?? (await boardAt(db, draft, revision))
      return { document: documentOf(board), revision, base: draft.base }
    },

    changeDraft: async ({ params: { id }, body: { base, ...edit } }, call) => {
      const { ctx } = await requireEditor(deps, call, id)
      const { board, ...answer } = await db.transaction().execute(async (tx) => {
        const draft = await lockDraft(tx, id)
        if (draft.is_foreign) throw foreignDraft()
        await requireFollowed(tx, draft, base)
        const missed = (await revisionsAfter(tx, id, base)).map(toRevision)
        const sent = await findSent(tx, id, edit.session, edit.seq)
        if (sent) return { revision: draft.revision, missed, dropped: [], board: undefined }
        const board = await boards.take(tx, draft)
        const { revision, dropped } = await editDraft(tx, ctx, { draft, board }, edit)
        return { revision, missed, dropped, board }
      })
      if (board) boards.keep(id, answer.revision, board)
      return answer
    },

    draftHistory: async ({ params: { id }, query: { before, mine } }, ctx) => {
      await requireEditor(deps, ctx, id)
      const rows = await db
        .selectFrom('draft_change')
        .select(['revision', 'session', 'author_name', 'label', 'at'])
        .where('item', '=', id)
        .$if(before !== undefined, (all) => all.where('revision', '<', before ?? 0))
        .$if(mine, (all) => all.where('author', '=', ctx.caller.sub))
        .orderBy('revision', 'desc')
        .limit(historyPage + 1)
        .execute()
      const shown = rows.slice(0, historyPage)
      return { data: shown.map(toMade), last: rows.length === shown.length }
    },

    restoreDraft: async ({ params: { id }, body: { revision, version } }, call) => {
      const { ctx } = await requireEditor(deps, call, id)
      return db.transaction().execute(async (tx) => {
        if (!(await lockItem(tx, id))) throw noDashboard(id)
        const draft = await lockDraft(tx, id)
        if (draft.is_foreign) throw foreignDraft()
        if (version !== undefined) {
          const found = await findVersion(tx, id, version)
          if (!found) throw noVersion(version)
          const kept = { text: found.text, isForeign: false, label: `version ${version}` }
          return { revision: await replaceDraft(tx, ctx, id, kept) }
        }
        const wanted = revision ?? -1
        if (!(await isKept(tx, id, draft.revision, wanted))) throw noRevision(wanted)
        const text = textOfBoard(await boardAt(tx, draft, wanted))
        const kept = { text, isForeign: false, label: `revision ${wanted}` }
        return { revision: await replaceDraft(tx, ctx, id, kept) }
      })
    },
  }
}

/** Test for a revision from which every change until now is still kept. */
async function isKept(db: DashboardsDeps['db'], item: string, now: number, revision: number) {
  if (revision < 0 || revision > now) return false
  return (await sizeBehind(db, item, revision)).count === now - revision
}

/**
 * Refuses an editor whose revision is not one of the draft, from which not every change is kept, or that is too
 * far behind for one answer: it loads the draft again.
 */
async function requireFollowed(tx: DashboardsDeps['db'], draft: DraftRow, base: number) {
  const { item, revision } = draft
  const { count, bytes } = await sizeBehind(tx, item, base)
  if (base + count === revision && count <= mostMissed && bytes <= mostMissedBytes) return
  throw noSuchBase(base, revision)
}

type Made = Pick<DraftChangeRow, 'revision' | 'session' | 'author_name' | 'label' | 'at'>

const toMade = ({ revision, session, author_name, label, at }: Made) => ({
  revision,
  session,
  author: author_name,
  label,
  at: at.getTime(),
})

const toRevision = ({ changes, ...made }: DraftChangeRow) => ({ ...toMade(made), changes })

const noSuchBase = (base: number, revision: number) =>
  failure(dashboardsContract, 'draft_changed', {
    message: `The draft is at revision ${revision}, which ${base} does not lead to. Load it again.`,
    field: 'base',
    revision,
  })

const noRevision = (revision: number) =>
  failure(dashboardsContract, 'no_such_revision', {
    message: `The draft has no revision ${revision} any more. Revisions are kept for 30 days.`,
    field: 'revision',
  })
