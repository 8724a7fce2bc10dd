import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import { where } from '@longreach/kit/where'
import { type Kysely, sql } from 'kysely'
import type { NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>

/** Rules of a reach that may be about alarms of an organization, with their settings at a time. */
export async function rulesAt(db: Db, reach: Reach, { org, at }: { org: string; at: Date }) {
  return db
    .selectFrom('notification as n')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('notification_version')
          .select(['settings', 'at as saved_at'])
          .whereRef('notification_id', '=', 'n.id')
          // The first version, where the rule is younger than the time.
          .orderBy(sql`case when at <= ${at} then -version else version end`)
          .limit(1)
          .as('v'),
      (join) => join.onTrue(),
    )
    .select(['n.id', 'n.name', 'n.org', 'n.deleted_at', 'v.settings', 'v.saved_at'])
    .where(where(isWithinSql(reach, 'n.org')))
    .where(sql<boolean>`(n.org = ${org} or (n.below and starts_with(${org}, n.org || '.')))`)
    .where(sql<boolean>`(n.deleted_at is null or n.deleted_at > ${at})`)
    .orderBy(sql`lower(n.name)`)
    .limit(200)
    .execute()
}
export type RuleAt = Awaited<ReturnType<typeof rulesAt>>[number]

/** Decisions about an alarm, the oldest first, with the time at which their bundle is due. */
export const decisionsAbout = (db: Db, alarmId: string) =>
  db
    .selectFrom('decision as d')
    .leftJoin('bundle as b', 'b.id', 'd.bundle_id')
    .leftJoin('message as m', 'm.id', 'd.message_id')
    .selectAll('d')
    .select(['b.due_at as bundle_due_at', 'm.total', 'm.created_at as told_at'])
    .where('d.alarm_id', '=', alarmId)
    .orderBy('d.id')
    .limit(1_000)
    .execute()
export type DecisionAbout = Awaited<ReturnType<typeof decisionsAbout>>[number]

/** Deliveries of messages to a person, those of escalations of these messages too; `about` is the message. */
export const deliveriesTo = (db: Db, sub: string, messages: readonly string[]) =>
  messages.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('delivery as d')
        .innerJoin('message as m', 'm.id', 'd.message_id')
        .selectAll('d')
        .select(aboutSql.as('about'))
        .where('d.recipient', '=', sub)
        .where(
          sql<boolean>`d.message_id in (
            select id from notifications.message where id = any(${messages}::uuid[])
            union all select id from notifications.message
              where kind = 'escalation' and facts ->> 'origin' = any(${messages}::text[]))`,
        )
        .orderBy('d.created_at')
        .orderBy('d.channel')
        .execute()

/** Message that a message is about: an escalation is about its origin. */
const aboutSql = sql<string>`(case when m.kind = 'escalation' then m.facts ->> 'origin' else m.id::text end)`
export type DeliveryTo = Awaited<ReturnType<typeof deliveriesTo>>[number]

type About = { alarmId: string; limit: number }

/** Deliveries of a reach about an alarm, those of escalations too, the newest first. */
export const deliveriesAbout = (db: Db, reach: Reach, { alarmId, limit }: About) =>
  db
    .selectFrom('delivery as d')
    .innerJoin('message as m', 'm.id', 'd.message_id')
    .selectAll('d')
    .select('m.kind')
    .where(where(isWithinSql(reach, 'd.org')))
    .where(
      sql<boolean>`(m.id in (select message_id from notifications.decision where alarm_id = ${alarmId})
        or (m.kind = 'escalation' and m.facts ->> 'origin' in
          (select message_id::text from notifications.decision where alarm_id = ${alarmId})))`,
    )
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id')
    .limit(limit)
    .execute()
