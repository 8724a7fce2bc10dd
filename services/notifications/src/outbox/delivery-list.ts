import { canInSight } from '@longreach/authorization/device-visibility'
import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type Kysely, sql } from 'kysely'
import type { DeliveryRow, NotificationsDb } from '../database.ts'
import { attemptsMs } from '../message-limits.ts'

type Db = Kysely<NotificationsDb>

type Asked = {
  page: number
  pageSize: number
  state?: DeliveryRow['state'] | undefined
  channel?: string | undefined
  notificationId?: string | undefined
  search?: string | undefined
}

/** Deliveries `d` of a reach with their messages `m` and notifications `n`. */
export const deliveriesOf = (db: Db, reach: Reach) =>
  db
    .selectFrom('delivery as d')
    .innerJoin('message as m', 'm.id', 'd.message_id')
    .leftJoin('notification as n', 'n.id', 'm.notification_id')
    .where(where(isWithinSql(reach, 'd.org')))

export const deliveryColumns = [
  'm.notification_id',
  'm.kind',
  'm.facts',
  'm.about',
  'm.about_org',
  'm.about_groups',
  'm.total',
  'm.severity',
  'n.name as rule_name',
] as const

/** Page of the deliveries of a reach, newest first, and their number. */
export async function listDeliveries(db: Db, reach: Reach, asked: Asked) {
  const { state, channel, notificationId, search, page, pageSize } = asked
  let query = deliveriesOf(db, reach)
  if (state !== undefined) query = query.where('d.state', '=', state)
  if (channel !== undefined) query = query.where('d.channel', '=', channel)
  if (notificationId !== undefined) query = query.where('m.notification_id', '=', notificationId)
  if (search !== undefined) {
    query = query.where(sql<boolean>`position(lower(${search}) in lower(d.recipient_name)) > 0`)
  }
  const [rows, { total }] = await Promise.all([
    query
      .selectAll('d')
      .select(deliveryColumns)
      .orderBy('d.created_at', 'desc')
      .orderBy('d.id')
      .limit(pageSize)
      .offset(page * pageSize)
      .execute(),
    query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}

export const findDelivery = (db: Db, reach: Reach, id: string) =>
  deliveriesOf(db, reach)
    .selectAll('d')
    .select(deliveryColumns)
    .where('d.id', '=', id)
    .executeTakeFirst()
export type ListedRow = NonNullable<Awaited<ReturnType<typeof findDelivery>>>

/** Send a failed delivery again, with a new count of attempts; undefined when it has not failed. */
export const restartDelivery = (db: Db, id: string, now: Date) =>
  db
    .updateTable('delivery')
    .set({
      state: 'WAITING',
      attempt: 0,
      next_at: now,
      until: new Date(now.getTime() + attemptsMs),
      updated_at: now,
    })
    .where('id', '=', id)
    .where('state', '=', 'FAILED')
    .returning('id')
    .executeTakeFirst()

/** True when the caller may read the device that the message is about. */
export const seesAbout = (ctx: OrgCtx, { about_org: org, about_groups: groups }: ListedRow) =>
  canInSight(ctx, 'read', { org, groups })
