import { type Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>
type Begun = { escalationId: string; ruleId: string; messageId: string; alarms: string[] }

/** Start the escalation of the alarms of a message; one that was deleted meanwhile does not start. */
export async function beginEscalation(tx: Db, begun: Begun, now: Date) {
  const found = await tx
    .selectFrom('escalation')
    .select('settings')
    .where('id', '=', begun.escalationId)
    .executeTakeFirst()
  const [first] = found?.settings.steps ?? []
  if (!first) return
  await tx
    .insertInto('escalation_run')
    .values({
      id: randomUUID(),
      escalation_id: begun.escalationId,
      notification_id: begun.ruleId,
      message_id: begun.messageId,
      alarms: begun.alarms.slice(0, 1_000),
      step: 0,
      begun_at: now,
      due_at: new Date(now.getTime() + first.afterMin * 60_000),
    })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .execute()
}
