import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import { where } from '@longreach/kit/where'
import { type Kysely, sql } from 'kysely'
import type { NotificationRow, NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>

const rulesWithin = (reach: Reach) => where(isWithinSql(reach, 'org'))

type Asked = {
  page: number
  pageSize: number
  search?: string | undefined
  enabled?: boolean | undefined
}

/** Page of the rules of a reach by name, and their number. */
export async function listNotifications(db: Db, reach: Reach, asked: Asked) {
  let query = db
    .selectFrom('notification')
    .where('deleted_at', 'is', null)
    .where(rulesWithin(reach))
  const { search, enabled, page, pageSize } = asked
  if (search !== undefined) {
    query = query.where(sql<boolean>`position(lower(${search}) in lower(name)) > 0`)
  }
  if (enabled !== undefined) query = query.where('enabled', '=', enabled)
  const [rows, { total }] = await Promise.all([
    query
      .selectAll()
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .limit(pageSize)
      .offset(page * pageSize)
      .execute(),
    query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}

export const findNotification = (db: Db, reach: Reach, id: string) =>
  db
    .selectFrom('notification')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(rulesWithin(reach))
    .executeTakeFirst()

/** The same, held until the transaction ends. */
export const lockNotification = (tx: Db, reach: Reach, id: string) =>
  tx
    .selectFrom('notification')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(rulesWithin(reach))
    .forUpdate()
    .executeTakeFirst()

export async function countNotifications(db: Db, org: string) {
  const { total } = await db
    .selectFrom('notification')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('org', '=', org)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

/** Insert or replace a rule, and keep the version. */
export async function saveNotification(tx: Db, row: NotificationRow) {
  const { settings, ...columns } = row
  const values = { ...columns, settings: JSON.stringify(settings) }
  await tx
    .insertInto('notification')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  await tx
    .insertInto('notification_version')
    .values({
      notification_id: row.id,
      version: row.version,
      enabled: row.enabled,
      minimum_severity: row.minimum_severity,
      below: row.below,
      settings: JSON.stringify(settings),
      at: row.updated_at,
    })
    .execute()
}

/** Delete a rule; its deliveries keep its name for as long as they are kept. */
export async function deleteNotification(tx: Db, id: string, now: Date) {
  await tx
    .updateTable('notification')
    .set({ deleted_at: now, enabled: false })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('bundle').where('notification_id', '=', id).execute()
  await tx.deleteFrom('escalation_run').where('notification_id', '=', id).execute()
}

/** Rules by id, also deleted ones. */
export const notificationsById = (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('notification').selectAll().where('id', 'in', ids).execute()
