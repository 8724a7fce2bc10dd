import { type Generated, type Kysely, type Selectable, sql } from 'kysely'

type LogTable = {
  id: Generated<number>
  device_id: string
  org: string
  at: Date
  system: boolean
  level: string
  path: string | null
  data: unknown
}
export type LogDb = { device_log: LogTable }
export type LogRow = Selectable<LogTable>
export type NewEntry = Omit<LogRow, 'id' | 'data'> & { data: Record<string, unknown> }

export const insertLog = (db: Kysely<LogDb>, entries: readonly NewEntry[]) =>
  db
    .insertInto('device_log')
    .values(entries.map((entry) => ({ ...entry, data: JSON.stringify(entry.data) })))
    .execute()

/** Time that entries are kept. */
export const logKeptMs = 30 * 86_400_000

type LogQuestion = {
  now: Date
  since: Date | undefined
  to: Date | undefined
  system: boolean
  limit: number
}

/** Newest first. What is too old is not shown, though it is stored until its month is dropped. */
export function logOf(
  db: Kysely<LogDb>,
  { id, org }: { id: string; org: string },
  { since, to, system, limit, now }: LogQuestion,
) {
  const kept = new Date(now.getTime() - logKeptMs)
  let query = db
    .selectFrom('device_log')
    .selectAll()
    .where('device_id', '=', id)
    .where('org', '=', org)
    .where('at', '>=', since && since > kept ? since : kept)
  if (to) query = query.where('at', '<', to)
  if (!system) query = query.where('system', '=', false)
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

export const moveLog = (tx: Kysely<LogDb>, deviceId: string, org: string) =>
  tx.updateTable('device_log').set({ org }).where('device_id', '=', deviceId).execute()

export const deleteLog = (tx: Kysely<LogDb>, deviceId: string) =>
  tx.deleteFrom('device_log').where('device_id', '=', deviceId).execute()

/**
 * Deletes what is too much of devices that say much. `since` is the last entry that the time before saw;
 * answers the last one of now.
 */
export async function trimLogs(
  db: Kysely<LogDb>,
  { most, since }: { most: number; since: number },
): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(id), 0) as last from platform.device_log`.execute(db)
  // Only devices that said something since may have too much; each is read along its index, not counted.
  await sql`delete from platform.device_log l using (
      select busy.device_id, oldest.at, oldest.id
      from (select distinct device_id from platform.device_log where id > ${since}) busy
      cross join lateral (
        select at, id from platform.device_log d where d.device_id = busy.device_id
        order by at desc, id desc offset ${most} limit 1
      ) oldest
    ) kept where l.device_id = kept.device_id and (l.at, l.id) <= (kept.at, kept.id)`.execute(db)
  return rows[0]?.last ?? 0
}
