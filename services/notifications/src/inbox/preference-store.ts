import type { Kysely } from 'kysely'
import type { NotificationsDb } from '../database.ts'
import type { PreferenceSettings } from './contract.ts'

type Db = Kysely<NotificationsDb>

/** Preferences of people by their subject; those who chose nothing are not in it. */
export async function preferencesOf(db: Db, subs: readonly string[]) {
  const rows =
    subs.length === 0
      ? []
      : await db.selectFrom('preference').selectAll().where('sub', 'in', subs).execute()
  return new Map(rows.map(({ sub, settings }) => [sub, settings]))
}

export const savePreferences = (db: Db, sub: string, settings: PreferenceSettings, now: Date) => {
  const values = { settings: JSON.stringify(settings), updated_at: now }
  return db
    .insertInto('preference')
    .values({ sub, ...values })
    .onConflict((conflict) => conflict.column('sub').doUpdateSet(values))
    .execute()
}
