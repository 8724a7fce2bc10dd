import { type Kysely, sql } from 'kysely'
import type { NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>

/** Number of messages that a person has not read. */
export async function countUnread(db: Db, sub: string) {
  const { count } = await db
    .selectFrom('inbox_item')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('sub', '=', sub)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

type Asked = { unread: boolean; after: { at: Date; id: string } | undefined; limit: number }

/** Messages of a person, newest first, after a position. */
export function listInbox(db: Db, sub: string, { unread, after, limit }: Asked) {
  let query = db.selectFrom('inbox_item').selectAll().where('sub', '=', sub)
  if (unread) query = query.where('read_at', 'is', null)
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.at}, ${after.id}::uuid)`)
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Mark messages of a person as read: those of `ids`, or all. */
export async function markRead(db: Db, sub: string, ids: readonly string[] | undefined, now: Date) {
  let query = db
    .updateTable('inbox_item')
    .set({ read_at: now })
    .where('sub', '=', sub)
    .where('read_at', 'is', null)
  if (ids) query = query.where(sql<boolean>`id = any(${ids}::uuid[])`)
  await query.execute()
}
