import { type Kysely, sql } from 'kysely'
import type { DecisionRow, NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>

/** Milliseconds for which a process reserves decisions. */
const heldMs = 60_000
const atOnce = 200

/** Decisions that are due, reserved for a while so that no other process judges them too. */
export async function claimDecisions(db: Db, now: Date) {
  const rows = await db
    .updateTable('decision')
    .set({ due_at: new Date(now.getTime() + heldMs), tries: sql<number>`tries + 1` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('decision')
        .select('id')
        .where('state', '=', 'WAITING')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(atOnce)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
  return rows.toSorted((a, b) => a.id - b.id)
}

type Change = Partial<
  Pick<
    DecisionRow,
    | 'state'
    | 'gate'
    | 'detail'
    | 'due_at'
    | 'groups'
    | 'label'
    | 'bundle_id'
    | 'alarm_org'
    | 'severity'
  >
>

/** Change a decision that still waits. */
export const changeDecision = (db: Db, { id }: DecisionRow, change: Change) =>
  db
    .updateTable('decision')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'WAITING')
    .execute()

/** Delete a decision about an alarm that the rule is not about. */
export const forgetDecision = (db: Db, { id }: DecisionRow) =>
  db.deleteFrom('decision').where('id', '=', id).where('state', '=', 'WAITING').execute()

/** Earlier decisions about the same alarm by the same rule. */
export const earlierDecisions = (db: Db, { id, notification_id, alarm_id }: DecisionRow) =>
  db
    .selectFrom('decision')
    .select(['id', 'kind', 'state', 'severity'])
    .where('notification_id', '=', notification_id)
    .where('alarm_id', '=', alarm_id)
    .where('id', '<', id)
    .execute()

/** Put a decision into the bundle of its rule and key, which is made if it is not there. */
export async function bundleDecision(
  tx: Db,
  decision: DecisionRow,
  { key, dueAt, id, now }: { key: string; dueAt: Date; id: string; now: Date },
) {
  const bundle = await tx
    .insertInto('bundle')
    .values({
      id,
      notification_id: decision.notification_id,
      key,
      due_at: dueAt,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['notification_id', 'key']).doUpdateSet({
        // Only a worse alarm comes before the end of the time in which others join.
        due_at: sql<Date>`case when bundle.told_severity < ${decision.severity}
          then least(bundle.due_at, excluded.due_at) else bundle.due_at end`,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const { groups, label, alarm_org, severity } = decision
  const facts = { groups, label, alarm_org, severity }
  await changeDecision(tx, decision, { ...facts, state: 'GROUPED', gate: '', bundle_id: bundle.id })
}
