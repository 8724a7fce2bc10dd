import type { z } from 'zod'
import type { Delivery } from './contract.ts'
import type { ListedRow } from './delivery-list.ts'

/** Delivery on the wire; `about` stays empty where the caller may not see the alarm. */
export const toDelivery = (row: ListedRow, seesAbout: boolean): z.input<typeof Delivery> => ({
  id: row.id,
  messageId: row.message_id,
  notificationId: row.notification_id,
  notificationName: row.rule_name ?? '',
  orgResourceId: row.org,
  kind: row.kind,
  about: seesAbout ? row.about : '',
  alarms: seesAbout ? row.total : 0,
  severity: row.severity,
  recipient: row.recipient_name,
  channel: row.channel,
  channelId: row.channel_id,
  outside: row.outside,
  state: row.state,
  gate: row.gate,
  attempt: row.attempt,
  repeated: row.repeated,
  answer: row.answer,
  ms: row.ms,
  nextAt: row.state === 'WAITING' ? row.next_at.getTime() : null,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
})
