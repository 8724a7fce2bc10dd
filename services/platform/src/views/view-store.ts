import { holdLock } from '@longreach/kit/locks'
import { type Kysely, type Selectable, sql } from 'kysely'

type ViewTable = {
  id: string
  organization: string
  name: string
  description: string
  shared: boolean
  query: Record<string, string | string[]>
  author: string
  author_name: string
  version: number
  made_at: Date
  changed_at: Date
}
export type ViewDb = {
  explorer_view: ViewTable
  explorer_view_unpublished: { view_id: string }
}
export type ViewRow = Selectable<ViewTable>
type Executor = Kysely<ViewDb>
/** Organization in which a person looks, and the person. */
type Seen = { organization: string; author: string }

const visible = (db: Executor, { organization, author }: Seen) =>
  db
    .selectFrom('explorer_view')
    .selectAll()
    .where('organization', '=', organization)
    .where((where) => where.or([where('shared', '=', true), where('author', '=', author)]))

/** Own views and those that are shared, by name. */
export const listViews = (db: Executor, seen: Seen) =>
  visible(db, seen)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()

export const findView = (db: Executor, seen: Seen, id: string) =>
  visible(db, seen).where('id', '=', id).executeTakeFirst()

/** The row, kept from others until the transaction ends. */
export const lockView = (tx: Executor, seen: Seen, id: string) =>
  visible(tx, seen).where('id', '=', id).forUpdate().executeTakeFirst()

/** One at a time for a person, so that counting and adding are one. */
export const lockAuthor = (tx: Executor, { organization, author }: Seen) =>
  holdLock(tx, 'platform.views', organization, author)

export async function countViews(tx: Executor, { organization, author }: Seen) {
  const { count } = await tx
    .selectFrom('explorer_view')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('organization', '=', organization)
    .where('author', '=', author)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** False where one of that name is there already. */
export async function insertView(tx: Executor, row: ViewRow) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('explorer_view')
    .values({ ...row, query: toJsonb(row.query) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

type Changed = Pick<ViewRow, 'name' | 'description' | 'shared' | 'query' | 'version' | 'changed_at'>

export const updateView = (
  tx: Executor,
  { organization }: Seen,
  id: string,
  { query, ...facts }: Changed,
) =>
  tx
    .updateTable('explorer_view')
    .set({ ...facts, query: toJsonb(query) })
    .where('organization', '=', organization)
    .where('id', '=', id)
    .execute()

export const deleteView = (tx: Executor, { organization }: Seen, id: string) =>
  tx
    .deleteFrom('explorer_view')
    .where('organization', '=', organization)
    .where('id', '=', id)
    .execute()

const toJsonb = (query: ViewRow['query']) => sql<ViewRow['query']>`${JSON.stringify(query)}::jsonb`
