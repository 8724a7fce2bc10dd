import { type Kysely, type Selectable, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { chainOf } from '../rules/rule-sight.ts'
import { keepDays } from './contract.ts'

type Db = Kysely<AlarmsDb>
export type SettingsRow = Selectable<AlarmsDb['alarm_settings']>

/** Settings of an organization and those above it, nearest first. */
export async function settingsAbove(db: Db, org: string): Promise<SettingsRow[]> {
  const rows = await db
    .selectFrom('alarm_settings')
    .selectAll()
    .where('org', '=', sql<string>`any(${chainOf(org)}::text[])`)
    .execute()
  return rows.toSorted((one, other) => other.org.length - one.org.length)
}

/** Settings that hold in an organization, with where they are from. */
export function effectiveOf(rows: readonly SettingsRow[]) {
  const days = rows.find(({ keep_days }) => keep_days !== null)
  const classes = rows.find(({ note_classes }) => note_classes !== null)
  return {
    keepDays: days?.keep_days ?? keepDays.usual,
    keepDaysFrom: days?.org ?? null,
    noteClasses: classes?.note_classes ?? [],
    noteClassesFrom: classes?.org ?? null,
  }
}

/** Writes the settings of an organization. */
export const writeSettings = (tx: Db, row: SettingsRow) =>
  tx
    .insertInto('alarm_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('org').doUpdateSet(row))
    .execute()

export const purgeSettings = (tx: Db, orgs: readonly string[]) =>
  tx
    .deleteFrom('alarm_settings')
    .where('org', '=', sql<string>`any(${orgs}::text[])`)
    .execute()
