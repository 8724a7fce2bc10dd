import type { Kysely, Selectable } from 'kysely'
import type { NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>
export type PushRow = Selectable<NotificationsDb['push_subscription']>

export const subscriptionsOf = (db: Db, sub: string) =>
  db
    .selectFrom('push_subscription')
    .selectAll()
    .where('sub', '=', sub)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Push services of people by their subject: that of the browser which subscribed last. */
export async function pushHosts(db: Db, subs: readonly string[]) {
  const rows =
    subs.length === 0
      ? []
      : await db
          .selectFrom('push_subscription')
          .select(['sub', 'host'])
          .where('sub', 'in', subs)
          .orderBy('created_at')
          .execute()
  return new Map(rows.map(({ sub, host }) => [sub, host]))
}

/** Keep a subscription; a browser that was somebody else's shows the messages of who uses it now. */
export async function saveSubscription(db: Db, row: PushRow) {
  const { id: _, ...known } = row
  return db
    .insertInto('push_subscription')
    .values(row)
    .onConflict((conflict) => conflict.column('endpoint_hash').doUpdateSet(known))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const deleteSubscription = (db: Db, sub: string, id: string) =>
  db
    .deleteFrom('push_subscription')
    .where('id', '=', id)
    .where('sub', '=', sub)
    .returning('id')
    .executeTakeFirst()

export const findSubscription = (db: Db, sub: string, id: string) =>
  db
    .selectFrom('push_subscription')
    .selectAll()
    .where('id', '=', id)
    .where('sub', '=', sub)
    .executeTakeFirst()

export const markSent = (db: Db, id: string, sent: { at: Date; message: string }) =>
  db
    .updateTable('push_subscription')
    .set({ sent_at: sent.at, sent_message: sent.message })
    .where('id', '=', id)
    .execute()
