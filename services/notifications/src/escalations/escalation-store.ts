import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import { where } from '@longreach/kit/where'
import { type Kysely, type Selectable, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>
export type EscalationRow = Selectable<NotificationsDb['escalation']>
export type RunRow = Selectable<NotificationsDb['escalation_run']>

const escalationsWithin = (db: Db, reach: Reach) =>
  db
    .selectFrom('escalation')
    .selectAll()
    .where(where(isWithinSql(reach, 'org')))

export const listEscalations = (db: Db, reach: Reach) =>
  escalationsWithin(db, reach)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()

export const findEscalation = (db: Db, reach: Reach, id: string) =>
  escalationsWithin(db, reach).where('id', '=', id).executeTakeFirst()

/** The same, held until the transaction ends. */
export const lockEscalation = (tx: Db, reach: Reach, id: string) =>
  escalationsWithin(tx, reach).where('id', '=', id).forUpdate().executeTakeFirst()

export async function countEscalations(db: Db, org: string) {
  const { total } = await db
    .selectFrom('escalation')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('org', '=', org)
    .executeTakeFirstOrThrow()
  return total
}

/** Insert or replace an escalation; undefined when its name is taken. */
export async function saveEscalation(tx: Db, row: EscalationRow) {
  const taken = await tx
    .selectFrom('escalation')
    .select('id')
    .where('org', '=', row.org)
    .where(sql<boolean>`lower(name) = lower(${row.name})`)
    .where('id', '<>', row.id)
    .executeTakeFirst()
  if (taken) return undefined
  const values = { ...row, settings: JSON.stringify(row.settings) }
  await tx
    .insertInto('escalation')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  return row
}

export const deleteEscalation = (tx: Db, id: string) =>
  tx.deleteFrom('escalation').where('id', '=', id).execute()

type Begun = {
  escalationId: string
  org: string
  ruleId: string
  messageId: string
  alarms: string[]
}

/** Start the escalation of the alarms of a message; one that was deleted meanwhile does not start. */
export async function beginEscalation(tx: Db, begun: Begun, now: Date) {
  const found = await tx
    .selectFrom('escalation')
    .select('settings')
    .where('id', '=', begun.escalationId)
    .where('org', '=', begun.org)
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
      alarms: begun.alarms.slice(0, 200),
      step: 0,
      begun_at: now,
      due_at: new Date(now.getTime() + first.afterMin * 60_000),
    })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .execute()
}

/** Milliseconds for which a process reserves a run. */
const heldMs = 60_000

/** Escalations whose next step is due, reserved for a while. */
export const claimRuns = (db: Db, now: Date) =>
  db
    .updateTable('escalation_run')
    .set({ due_at: new Date(now.getTime() + heldMs) })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('escalation_run')
        .select('id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(50)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()

export const endRun = (db: Db, { id }: RunRow) =>
  db.deleteFrom('escalation_run').where('id', '=', id).execute()

/** Take a run to its next step; false when another process was first. */
export async function moveRun(
  tx: Db,
  { id, step, round }: RunRow,
  next: { step: number; round: number; dueAt: Date } | undefined,
) {
  const own = tx
    .selectFrom('escalation_run')
    .select('id')
    .where('id', '=', id)
    .where('step', '=', step)
    .where('round', '=', round)
    .forUpdate()
  if (!(await own.executeTakeFirst())) return false
  if (next) {
    const { dueAt, ...place } = next
    await tx
      .updateTable('escalation_run')
      .set({ ...place, due_at: dueAt })
      .where('id', '=', id)
      .execute()
  } else await tx.deleteFrom('escalation_run').where('id', '=', id).execute()
  return true
}
