import { type Kysely, sql } from 'kysely'
import type { DeliveryRow, NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>

/** Milliseconds for which a process reserves a delivery; longer than an attempt. */
const leaseMs = 60_000

type Claim = { now: Date; most: number; perHost: number; busy: ReadonlyMap<string, number> }

/**
 * Deliveries that are due, reserved for a while; of one host at most `perHost` together with those that are
 * under way in this process. One whose reservation ended may have been sent, and is marked.
 */
export async function claimDeliveries(db: Db, { now, most, perHost, busy }: Claim) {
  const hosts = [...busy.keys()]
  const { rows } = await sql<DeliveryRow>`
    update notifications.delivery d
    set state = 'SENDING', lease_until = ${new Date(now.getTime() + leaseMs)},
      attempt = attempt + 1, repeated = repeated or state = 'SENDING', updated_at = ${now}
    where id in (
      select one.id from notifications.delivery one
      where one.id in (
        select due.id from (
          select id, next_at, row_number() over (partition by host order by next_at)
            + coalesce(under_way.count, 0) as place
          from notifications.delivery
          left join unnest(${hosts}::text[], ${hosts.map((host) => busy.get(host) ?? 0)}::int[])
            as under_way(name, count) on under_way.name = host
          where (state = 'WAITING' and next_at <= ${now})
            or (state = 'SENDING' and lease_until <= ${now})) due
        where due.place <= ${perHost} order by due.next_at limit ${most})
      and ((one.state = 'WAITING' and one.next_at <= ${now})
        or (one.state = 'SENDING' and one.lease_until <= ${now}))
      for update skip locked)
    returning d.*`.execute(db)
  return rows
}

type End = Partial<
  Pick<DeliveryRow, 'state' | 'gate' | 'answer' | 'ms' | 'next_at' | 'repeated' | 'lease_until'>
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

/** Message of a delivery, with its rule where there is one. */
export const findMessage = (db: Db, id: string) =>
  db
    .selectFrom('message as m')
    .leftJoin('notification as n', 'n.id', 'm.notification_id')
    .selectAll('m')
    .select(['n.name as rule_name'])
    .where('m.id', '=', id)
    .executeTakeFirst()

/** Alarms of a message, the worst and oldest first. */
export const alarmsOfMessage = (db: Db, messageId: string) =>
  db
    .selectFrom('decision')
    .select(['alarm_id', 'alarm_org', 'groups', 'severity', 'device_id', 'label'])
    .where('message_id', '=', messageId)
    .orderBy('severity', 'desc')
    .orderBy('id')
    .execute()
