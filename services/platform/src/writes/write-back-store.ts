import { type Kysely, sql } from 'kysely'
import type { ServiceDb } from '../database.ts'
import type { WriteBackRow } from './write-back-tables.ts'

type Db = Kysely<ServiceDb>

/** Rows that one round takes. */
const atOnce = 200
/** Time in which a process has to write back what it has taken; after it another one does. */
const takenMs = 5_000
/** Interval at which a device that is connected and does not listen is tried again. */
const againMs = 1_000
/** Time for which a device that is away is waited for. */
const waitedMs = 3_600_000

const inMs = (ms: number) => sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`

/** Row that was there before: the value is held already, and this write prolongs it. */
type Before = Pick<WriteBackRow, 'by_sub' | 'held'>

/** Notes what is to be written back after so long; a repeated write prolongs it. */
export async function keepWriteBack(
  db: Db,
  row: Omit<WriteBackRow, 'at' | 'due'>,
  afterMs: number,
): Promise<Before | undefined> {
  const { device_id, path } = row
  const [value, held] = [JSON.stringify(row.value ?? null), JSON.stringify(row.held ?? null)]
  const origin = row.origin === undefined ? null : JSON.stringify(row.origin)
  const { rows } = await sql<{ by_sub: string | null; held: unknown }>`
    with before as (
      select by_sub, held from platform.write_back where device_id = ${device_id} and path = ${path}
    ), kept as (
      insert into platform.write_back
        (device_id, path, org, id, value, held, by_sub, by_name, origin, at, due)
      values (${device_id}, ${path}, ${row.org}, ${row.id}, ${value}::jsonb, ${held}::jsonb,
        ${row.by_sub}, ${row.by_name}, ${origin}::jsonb, clock_timestamp(), ${inMs(afterMs)})
      on conflict (device_id, path) do update set org = excluded.org, id = excluded.id,
        value = excluded.value, held = excluded.held, by_sub = excluded.by_sub,
        by_name = excluded.by_name, origin = excluded.origin, at = excluded.at, due = excluded.due
    )
    select by_sub, held from before`.execute(db)
  const [before] = rows
  return before?.by_sub ? { by_sub: before.by_sub, held: before.held } : undefined
}

/** Takes what is due for devices that are connected to this process; each row is taken by one process. */
export async function takeDueBacks(db: Db, node: number): Promise<WriteBackRow[]> {
  const { rows } = await sql<WriteBackRow>`
    with due as (
      select b.device_id, b.path from platform.write_back b
      where b.due <= clock_timestamp() and exists (
        select from platform.line l
        where l.device_id = b.device_id and l.lost_at is null and l.node = ${node})
      order by b.due limit ${atOnce} for update of b skip locked)
    update platform.write_back b set due = ${inMs(takenMs)} from due
    where b.device_id = due.device_id and b.path = due.path returning b.*`.execute(db)
  return rows
}

/** Has what could not be sent tried again a second later, unless the write was repeated meanwhile. */
export const tryBackAgain = (db: Db, id: string) =>
  db
    .updateTable('write_back')
    .set({ due: inMs(againMs) })
    .where('id', '=', id)
    .execute()

/** Ends one; false when the write was repeated meanwhile, or another process ended it. */
export async function endWriteBack(tx: Db, id: string) {
  const ended = await tx.deleteFrom('write_back').where('id', '=', id).returning('id').execute()
  return ended.length > 0
}

/** Ends those of paths that somebody has written for good. */
export const endBacksOf = (db: Db, deviceId: string, paths: readonly string[]) =>
  db
    .deleteFrom('write_back')
    .where('device_id', '=', deviceId)
    .where('path', 'in', [...paths])
    .execute()

/** Ends those of devices that did not come back in an hour. */
export const giveUpBacks = (tx: Db) =>
  tx.deleteFrom('write_back').where('at', '<', inMs(-waitedMs)).returningAll().execute()

/** Ends those of a device that is deleted, or has moved. */
export const deleteBacksOf = (tx: Db, deviceId: string) =>
  tx.deleteFrom('write_back').where('device_id', '=', deviceId).execute()
