import { holdLock } from '@longreach/kit/locks'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { ViewList } from './contract.ts'

type Db = Kysely<AlarmsDb>
export type ViewRow = Selectable<AlarmsDb['alarm_view']>
/** View with whether the person's list begins with it. */
export type SeenView = ViewRow & { is_default: boolean }
/** Organization in which a person looks, and the person. */
type Seen = { org: string; person: string }

const visible = (db: Db, { org, person }: Seen) =>
  db
    .selectFrom('alarm_view as v')
    .selectAll('v')
    .select(
      sql<boolean>`exists (select from alarms.default_view d
        where d.org = v.org and d.person = ${person} and d.view_id = v.id
          and d.list = v.content ->> 'list')`.as('is_default'),
    )
    .where('v.org', '=', org)
    .where((where) => where.or([where('v.shared', '=', true), where('v.author', '=', person)]))

/** Own views and those that are shared, by name. */
export const listViews = (db: Db, seen: Seen): Promise<SeenView[]> =>
  visible(db, seen)
    .orderBy(sql`lower(v.name)`)
    .orderBy('v.id')
    .execute()

export const findView = (db: Db, seen: Seen, id: string): Promise<SeenView | undefined> =>
  visible(db, seen).where('v.id', '=', id).executeTakeFirst()

/** The row, kept from others until the transaction ends. */
export const lockView = (tx: Db, seen: Seen, id: string): Promise<SeenView | undefined> =>
  visible(tx, seen).where('v.id', '=', id).forUpdate('v').executeTakeFirst()

/** One at a time for a person, so that counting and adding are one. */
export const lockAuthor = (tx: Db, { org, person }: Seen) =>
  holdLock(tx, 'alarms.views', org, person)

export async function countViews(tx: Db, { org, person }: Seen) {
  const { count } = await tx
    .selectFrom('alarm_view')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('org', '=', org)
    .where('author', '=', person)
    .executeTakeFirstOrThrow()
  return count
}

export const insertView = (tx: Db, row: ViewRow) =>
  tx
    .insertInto('alarm_view')
    .values({ ...row, content: JSON.stringify(row.content) })
    .execute()

export const updateView = (tx: Db, { id, name, shared, content, version, updated_at }: ViewRow) =>
  tx
    .updateTable('alarm_view')
    .set({ name, shared, content: JSON.stringify(content), version, updated_at })
    .where('id', '=', id)
    .execute()

export const deleteView = (tx: Db, { id }: ViewRow) =>
  tx.deleteFrom('alarm_view').where('id', '=', id).execute()

/** A view that is no longer shared is nobody's default but its author's. */
export const dropForeignDefaults = (tx: Db, { id, author }: ViewRow) =>
  tx.deleteFrom('default_view').where('view_id', '=', id).where('person', '<>', author).execute()

export async function setDefault(
  tx: Db,
  { org, person }: Seen,
  { id, list }: { id: string | null; list: ViewList },
) {
  if (id === null)
    await tx
      .deleteFrom('default_view')
      .where('org', '=', org)
      .where('person', '=', person)
      .where('list', '=', list)
      .execute()
  else
    await tx
      .insertInto('default_view')
      .values({ org, person, list, view_id: id })
      .onConflict((conflict) =>
        conflict.columns(['org', 'person', 'list']).doUpdateSet({ view_id: id }),
      )
      .execute()
}

export const purgeViews = (tx: Db, orgs: readonly string[]) =>
  tx
    .deleteFrom('alarm_view')
    .where('org', '=', sql<string>`any(${orgs}::text[])`)
    .execute()
