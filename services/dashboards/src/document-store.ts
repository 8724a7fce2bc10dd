import type { Kysely } from 'kysely'
import { sha256Of } from './document-text.ts'
import type { DashboardsDb, VersionRow } from './database.ts'

type Db = Kysely<DashboardsDb>

/** Keeps a text once, and answers its digest. */
export async function keepText(tx: Db, text: string) {
  const sha256 = sha256Of(text)
  await tx
    .insertInto('document')
    .values({ sha256, text })
    // The same again holds the row, so that it is not cleaned up before the version refers to it.
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ sha256 }))
    .execute()
  return sha256
}

/** Version with its text; undefined if there is none of the name. */
export const findVersion = (db: Db, item: string, name: string) =>
  db
    .selectFrom('version')
    .innerJoin('document', 'document.sha256', 'version.sha256')
    .selectAll('version')
    .select('document.text')
    .where('version.item', '=', item)
    .where('version.name', '=', name)
    .executeTakeFirst()

export const insertVersion = (tx: Db, row: VersionRow) =>
  tx.insertInto('version').values(row).returningAll().executeTakeFirstOrThrow()

/** Number of the next version of an item; the item is locked. */
export async function nextNumber(db: Db, item: string) {
  const { last } = await db
    .selectFrom('version')
    .select((select) => select.fn.max('number').as('last'))
    .where('item', '=', item)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Deletes texts that no version has any more. */
export const cleanupTexts = (db: Db) =>
  db
    .deleteFrom('document')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('version')
            .select('version.item')
            .whereRef('version.sha256', '=', 'document.sha256'),
        ),
      ),
    )
    .execute()
