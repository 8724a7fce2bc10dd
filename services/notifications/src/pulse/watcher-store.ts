import type { Kysely, Selectable } from 'kysely'
import type { NotificationsDb } from '../database.ts'

type Db = Kysely<NotificationsDb>
export type WatcherRow = Selectable<NotificationsDb['pulse_watcher']>

/** Watcher of an organization. */
export const watcherOf = (db: Db, org: string) =>
  db.selectFrom('pulse_watcher').selectAll().where('org', '=', org).executeTakeFirst()

/** Organizations with a watcher, and its server. */
export const watchedOrganizations = (db: Db) =>
  db.selectFrom('pulse_watcher').select(['org', 'host']).orderBy('org').execute()

type Kept = Pick<WatcherRow, 'org' | 'method' | 'host' | 'sealed' | 'updated_at' | 'updated_by'>

/** Keeps a watcher in place of the one of before; what that one answered is forgotten. */
export const saveWatcher = (tx: Db, kept: Kept) => {
  const row = { ...kept, t: null, at: null, answer: '', called_at: null, ok: null }
  return tx
    .insertInto('pulse_watcher')
    .values(row)
    .onConflict((conflict) => conflict.column('org').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const deleteWatcher = (tx: Db, org: string) =>
  tx.deleteFrom('pulse_watcher').where('org', '=', org).returningAll().executeTakeFirst()
