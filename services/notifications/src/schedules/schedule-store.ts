import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import { where } from '@longreach/kit/where'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>
export type ScheduleRow = Selectable<NotificationsDb['schedule']>

const schedulesWithin = (db: Db, reach: Reach) =>
  db
    .selectFrom('schedule')
    .selectAll()
    .where(where(isWithinSql(reach, 'org')))

export const listSchedules = (db: Db, reach: Reach) =>
  schedulesWithin(db, reach)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()

export const findSchedule = (db: Db, reach: Reach, id: string) =>
  schedulesWithin(db, reach).where('id', '=', id).executeTakeFirst()

/** The same, held until the transaction ends. */
export const lockSchedule = (tx: Db, reach: Reach, id: string) =>
  schedulesWithin(tx, reach).where('id', '=', id).forUpdate().executeTakeFirst()

export async function countSchedules(db: Db, org: string) {
  const { total } = await db
    .selectFrom('schedule')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('org', '=', org)
    .executeTakeFirstOrThrow()
  return total
}

/** Insert or replace a schedule; undefined when its name is taken. */
export async function saveSchedule(tx: Db, row: ScheduleRow) {
  const taken = await tx
    .selectFrom('schedule')
    .select('id')
    .where('org', '=', row.org)
    .where(sql<boolean>`lower(name) = lower(${row.name})`)
    .where('id', '<>', row.id)
    .executeTakeFirst()
  if (taken) return undefined
  const values = { ...row, settings: JSON.stringify(row.settings) }
  await tx
    .insertInto('schedule')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  return row
}

export const deleteSchedule = (tx: Db, id: string) =>
  tx.deleteFrom('schedule').where('id', '=', id).execute()

/** Keep the hash of the secret address of a calendar; null ends it. */
export const setCalendar = (tx: Db, id: string, hash: string | null) =>
  tx.updateTable('schedule').set({ calendar_hash: hash }).where('id', '=', id).execute()

export const scheduleOfCalendar = (db: Db, hash: string) =>
  db.selectFrom('schedule').selectAll().where('calendar_hash', '=', hash).executeTakeFirst()

/** Keep the note for the next person on call. */
export const setScheduleNote = (tx: Db, id: string, note: { text: string; by: string; at: Date }) =>
  tx
    .updateTable('schedule')
    .set({ note: note.text, note_by: note.by, note_at: note.at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
