import { publish } from '@longreach/kit/events'
import type { DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { ToldAlarm } from '../message-contract.ts'
import type { Content } from '../texts/content.ts'
import { plainText } from '../texts/plain-text.ts'
import { inboxContract } from './contract.ts'
import { countUnread } from './inbox-store.ts'

type Composed = { content: Content; alarms: readonly ToldAlarm[] }

/** Put a message into the inbox of a person, once. */
export function deliverToInbox(
  { db, now }: Pick<NotificationsDeps, 'db' | 'now'>,
  { id, recipient: sub, org, message_id }: DeliveryRow,
  { content, alarms }: Composed,
) {
  return db.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('inbox_item')
      .values({
        id,
        sub,
        org,
        message_id,
        severity: content.severity,
        subject: content.subject.slice(0, 500),
        body: plainText(content).slice(0, 20_000),
        alarms: alarms.map((alarm) => alarm.id),
        device_id: alarms[0]?.deviceId ?? null,
        created_at: now(),
        read_at: null,
      })
      .onConflict((conflict) => conflict.columns(['sub', 'message_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made) {
      const unread = await countUnread(tx, sub)
      await publish(tx, inboxContract.events.inboxChanged, {
        sub,
        unread,
        severity: content.severity,
      })
    }
    return { kind: 'sent' as const, answer: '' }
  })
}
