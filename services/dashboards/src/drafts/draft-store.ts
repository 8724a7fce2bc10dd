import type { Change } from '@longreach/board/change'
import { type Kysely, sql } from 'kysely'
import type { DashboardsDb, DraftRow } from '../database.ts'
import type { KeptText } from '../document-text.ts'
import { boardAt } from './draft-boards.ts'
import { textOfBoard } from '@longreach/board/board'

type Db = Kysely<DashboardsDb>

export const insertDraft = (tx: Db, item: string, base: string, { text, isForeign }: KeptText) =>
  tx
    .insertInto('draft')
    .values({
      item,
      base,
      revision: 0,
      snapshot: text,
      snapshot_revision: 0,
      is_foreign: isForeign,
    })
    .execute()

export const findDraft = (db: Db, item: string) =>
  db.selectFrom('draft').selectAll().where('item', '=', item).executeTakeFirstOrThrow()

/** The same, held until the transaction ends: changes come one after the other. */
export const lockDraft = (tx: Db, item: string) =>
  tx.selectFrom('draft').selectAll().where('item', '=', item).forUpdate().executeTakeFirstOrThrow()

/** Text of a draft as it is now. */
export async function draftText(db: Db, item: string) {
  const draft = await findDraft(db, item)
  return draft.is_foreign ? draft.snapshot : textOfBoard(await boardAt(db, draft, draft.revision))
}

/** Draft's text and what stands behind it, in place of the former one. */
export const updateDraft = (tx: Db, item: string, fields: Partial<Omit<DraftRow, 'item'>>) =>
  tx.updateTable('draft').set(fields).where('item', '=', item).execute()

/** Revisions behind one, oldest first. */
export const revisionsAfter = (db: Db, item: string, revision: number) =>
  db
    .selectFrom('draft_change')
    .selectAll()
    .where('item', '=', item)
    .where('revision', '>', revision)
    .orderBy('revision')
    .execute()

/** Number of the revisions behind one that are kept, and the bytes of their changes as text. */
export async function sizeBehind(db: Db, item: string, revision: number) {
  const { count, bytes } = await db
    .selectFrom('draft_change')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(octet_length(changes::text)), 0)::float8`.as('bytes'),
    ])
    .where('item', '=', item)
    .where('revision', '>', revision)
    .executeTakeFirstOrThrow()
  return { count, bytes }
}

type NewRevision = {
  item: string
  revision: number
  session: string
  seq: number
  author: string
  author_name: string
  label: string
  changes: readonly Change[]
  inverse: readonly Change[]
  at: Date
}

export const insertRevision = (tx: Db, { changes, inverse, ...row }: NewRevision) =>
  tx
    .insertInto('draft_change')
    .values({ ...row, changes: JSON.stringify(changes), inverse: JSON.stringify(inverse) })
    .execute()

/** Revision that a session has sent before under the same number. */
export const findSent = (db: Db, item: string, session: string, seq: number) =>
  db
    .selectFrom('draft_change')
    .select('revision')
    .where('item', '=', item)
    .where('session', '=', session)
    .where('seq', '=', seq)
    .executeTakeFirst()

/** Deletes revisions of more than 30 days ago that no snapshot needs. */
export const cleanupRevisions = (db: Db, now: Date) =>
  db
    .deleteFrom('draft_change')
    .where('at', '<', new Date(now.getTime() - 30 * 86_400_000))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('draft')
          .select('draft.item')
          .whereRef('draft.item', '=', 'draft_change.item')
          .whereRef('draft.snapshot_revision', '>=', 'draft_change.revision'),
      ),
    )
    .execute()
