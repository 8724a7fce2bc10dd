import { holdLock } from '@longreach/kit/locks'
import { type Kysely, type Selectable, sql } from 'kysely'

type WritePolicyTable = { org: string; second_person: boolean }
type WriteRequestTable = {
  id: string
  device_id: string
  org: string
  path: string
  value: unknown
  before: unknown
  reason: string | null
  by_sub: string
  by_name: string
  acting_sub: string | null
  at: Date
  expires_at: Date
  state: 'waiting' | 'approved' | 'refused'
  decided_by: string | null
  decided_at: Date | null
  result: 'sent' | 'confirmed' | 'no_answer' | null
}
export type WriteDb = { write_policy: WritePolicyTable; write_request: WriteRequestTable }
export type WriteRequestRow = Selectable<WriteRequestTable>
type Db = Kysely<WriteDb>
/** The device where it is now: requests of another organization ended with the move. */
type Owned = { id: string; org: string }

/** Requests that wait on a device at once. */
export const mostWaiting = 100
const mostShown = 100
const keptMs = 90 * 86_400_000

/** `a.b.c` with `a.b` and `a`. */
const withAbove = (org: string) =>
  org.split('.').map((_, index, names) => names.slice(0, index + 1).join('.'))

/** The organization that asks for a second person, here or above; undefined when none does. */
export async function secondPersonFrom(db: Db, org: string) {
  const row = await db
    .selectFrom('write_policy')
    .select('org')
    .where('org', 'in', withAbove(org))
    .where('second_person', '=', true)
    .orderBy(sql`length(org)`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.org
}

export const setSecondPerson = (db: Db, org: string, secondPerson: boolean) =>
  db
    .insertInto('write_policy')
    .values({ org, second_person: secondPerson })
    .onConflict((conflict) => conflict.column('org').doUpdateSet({ second_person: secondPerson }))
    .execute()

const requestsOfDevice = (db: Db, { id, org }: Owned) =>
  db.selectFrom('write_request').selectAll().where('device_id', '=', id).where('org', '=', org)

/** Newest first, those that wait before all others. */
export const requestsOf = (db: Db, device: Owned, now: Date) =>
  requestsOfDevice(db, device)
    .orderBy(sql`state = 'waiting' and expires_at > ${now}`, 'desc')
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(mostShown + mostWaiting)
    .execute()

/** Inserts a request unless too many wait on the device; the check locks the device. */
export async function insertRequest(db: Db, row: WriteRequestRow) {
  return db.transaction().execute(async (tx) => {
    await holdLock(tx, 'platform.write_request', row.device_id)
    const { count } = await tx
      .selectFrom('write_request')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('device_id', '=', row.device_id)
      .where('state', '=', 'waiting')
      .where('expires_at', '>', row.at)
      .executeTakeFirstOrThrow()
    if (Number(count) >= mostWaiting) return false
    const { value, before } = row
    const texts = { value: JSON.stringify(value), before: JSON.stringify(before) }
    await tx
      .insertInto('write_request')
      .values({ ...row, ...texts })
      .execute()
    return true
  })
}

export const requestOf = (db: Db, device: Owned, id: string) =>
  requestsOfDevice(db, device).where('id', '=', id).executeTakeFirst()

type Decision = Pick<WriteRequestRow, 'state' | 'decided_by'> & { now: Date }

/** Decide about a request that still waits; undefined when another was faster or its time is over. */
export const decide = (db: Db, id: string, { now, ...decision }: Decision) =>
  db
    .updateTable('write_request')
    .set({ ...decision, decided_at: now })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Sets an approved request that could not be sent back to waiting. */
export const reopen = (db: Db, id: string) =>
  db
    .updateTable('write_request')
    .set({ state: 'waiting', decided_by: null, decided_at: null })
    .where('id', '=', id)
    .execute()

export const setResult = (db: Db, id: string, result: WriteRequestRow['result']) =>
  db.updateTable('write_request').set({ result }).where('id', '=', id).execute()

export const deleteOldRequests = (db: Db, now: Date) =>
  db
    .deleteFrom('write_request')
    .where('at', '<', new Date(now.getTime() - keptMs))
    .execute()

export const deleteRequestsOf = (db: Db, deviceId: string) =>
  db.deleteFrom('write_request').where('device_id', '=', deviceId).execute()
