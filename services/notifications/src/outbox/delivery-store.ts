import { type Kysely, sql } from 'kysely'
import type { DeliveryRow, NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>

/** Milliseconds for which a process reserves a delivery; longer than an attempt. */
const leaseMs = 60_000

type Claim = { now: Date; most: number; perHost: number; busy: ReadonlyMap<string, number> }

/**
 * Deliveries that are due, reserved for a while; of one host at most `perHost` together with those that are
 * under way in this process. One whose reservation ended may have been sent, and is marked. Hosts are found by
 * one step in the index for each, so that what waits for a slow one costs nothing.
 */
export async function claimDeliveries(db: Db, { now, most, perHost, busy }: Claim) {
  const hosts = [...busy.keys()]
  const { rows } = await sql<DeliveryRow>`
    with recursive waiting as (
      (select host from notifications.delivery where state = 'WAITING' order by host limit 1)
      union all
      select (select host from notifications.delivery
        where state = 'WAITING' and host > waiting.host order by host limit 1)
      from waiting where waiting.host is not null),
    under_way as (select * from unnest(${hosts}::text[],
      ${hosts.map((host) => busy.get(host) ?? 0)}::int[]) as u(host, count)),
    due as (
      select one.* from waiting left join under_way on under_way.host = waiting.host
      cross join lateral (
        select id, host, next_at from notifications.delivery
        where state = 'WAITING' and host = waiting.host and next_at <= ${now}
        order by next_at limit greatest(0, ${perHost}::int - coalesce(under_way.count, 0))) one
      union all
      select id, host, next_at from notifications.delivery
      where state = 'SENDING' and lease_until <= ${now}),
    chosen as (
      select id from (
        select id, next_at, row_number() over (partition by due.host order by next_at)
          + coalesce(under_way.count, 0) as place
        from due left join under_way on under_way.host = due.host) placed
      where place <= ${perHost} order by next_at limit ${most})
    update notifications.delivery d
    set state = 'SENDING', lease_until = ${new Date(now.getTime() + leaseMs)},
      attempt = attempt + 1, repeated = repeated or state = 'SENDING', updated_at = ${now}
    where id in (
      select one.id from notifications.delivery one
      where one.id in (select id from chosen)
        and ((one.state = 'WAITING' and one.next_at <= ${now})
          or (one.state = 'SENDING' and one.lease_until <= ${now}))
      for update skip locked)
    returning d.*`.execute(db)
  return rows
}

/** Result of an attempt; what it leaves out stays. */
export type End = Partial<
  Pick<DeliveryRow, 'state' | 'gate' | 'answer' | 'ms' | 'next_at' | 'repeated'>
>

/** Write the result of an attempt, unless another process has taken the delivery over. */
export const endAttempt = (db: Db, { id, attempt }: DeliveryRow, end: End, now: Date) =>
  db
    .updateTable('delivery')
    .set({ ...end, lease_until: null, updated_at: now })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'SENDING')
    .returning('id')
    .executeTakeFirst()

/** Put a delivery back that must wait for its turn; it was no attempt. */
export const postpone = (db: Db, { id, attempt }: DeliveryRow, at: Date, now: Date) =>
  db
    .updateTable('delivery')
    .set({
      state: 'WAITING',
      attempt: attempt - 1,
      next_at: at,
      lease_until: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'SENDING')
    .execute()

/** Messages by id, with their rules where there are any. */
export const findMessages = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('message as m')
    .leftJoin('notification as n', 'n.id', 'm.notification_id')
    .selectAll('m')
    .select(['n.name as rule_name'])
    .where(sql<boolean>`m.id = any(${ids}::uuid[])`)
    .execute()
export type Message = Awaited<ReturnType<typeof findMessages>>[number]

/** Alarms of messages, the worst and oldest first. */
export const alarmsOfMessages = (db: Db, messageIds: readonly string[]) =>
  db
    .selectFrom('decision')
    .select(['message_id', 'alarm_id', 'alarm_org', 'groups', 'severity', 'device_id', 'label'])
    .where(sql<boolean>`message_id = any(${messageIds}::uuid[])`)
    .orderBy('severity', 'desc')
    .orderBy('id')
    .execute()

/** The same of one message. */
export const alarmsOfMessage = (db: Db, messageId: string) => alarmsOfMessages(db, [messageId])
