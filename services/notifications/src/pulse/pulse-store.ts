import { pulseOrganization, pulseStillMs, type PulsePassed } from '@longreach/alarms/pulse-contract'
import { type Kysely, sql } from 'kysely'
import type { NotificationsDb } from '../database.ts'
import { pulseNotification, watcherChannel } from '../pulse-rule.ts'

type Db = Kysely<NotificationsDb>

/** Newest beat of which a message was delivered; undefined before the first one. */
export async function passedMessage(db: Db): Promise<PulsePassed | undefined> {
  const row = await db.selectFrom('pulse_station').select(['t', 'at']).executeTakeFirst()
  return row && { t: row.t.getTime(), at: row.at.getTime() }
}

/** True when this installation is so new that a first beat may still be on its way. */
export async function isPulseNew(db: Db, now: Date) {
  const row = await db
    .selectFrom('notification')
    .select('created_at')
    .where('id', '=', pulseNotification)
    .executeTakeFirst()
  return row !== undefined && now.getTime() - row.created_at.getTime() <= pulseStillMs
}

type Ended = { message_id: string; channel: string; recipient: string }

/** Writes down how a delivery of the pulse ended, in the transaction that ends it. */
export async function notePulseEnd(
  tx: Db,
  { message_id: messageId, channel, recipient: org }: Ended,
  { isSent, answer, at }: { isSent: boolean; answer: string; at: Date },
) {
  if (channel === watcherChannel) {
    await sql`update notifications.pulse_watcher w set ok = ${isSent}, answer = ${answer.slice(0, 500)},
        called_at = ${at}, t = case when ${isSent} then greatest(w.t, d.at) else w.t end,
        at = case when ${isSent} then ${at} else w.at end
      from notifications.decision d where d.message_id = ${messageId} and w.org = ${org}`.execute(
      tx,
    )
  } else if (isSent) {
    await sql`insert into notifications.pulse_station (station, t, at)
      select 'message', d.at, ${at} from notifications.decision d where d.message_id = ${messageId}
      on conflict (station) do update set t = excluded.t, at = excluded.at
        where pulse_station.t < excluded.t`.execute(tx)
  }
}

/** Time for which messages of the pulse are kept, also those that wait: a beat is not told late. */
const keptMs = 900_000

/** Deletes what the pulse left more than 15 minutes ago. */
export async function cleanupPulse({ db, now }: { db: Db; now: () => Date }) {
  const before = new Date(now().getTime() - keptMs)
  await sql`delete from notifications.message where id in (
    select message_id from notifications.delivery
    where org = ${pulseOrganization} and created_at < ${before})`.execute(db)
  for (const table of ['decision', 'bundle'] as const) {
    await db
      .deleteFrom(table)
      .where('notification_id', '=', pulseNotification)
      .where('created_at', '<', before)
      .execute()
  }
}
