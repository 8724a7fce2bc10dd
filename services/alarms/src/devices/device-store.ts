import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'

type Db = Kysely<AlarmsDb>

/** Device as far as alarms need it. */
export type AlarmDevice = { device_id: string; org: string; label: string; groups: number[] }

/** Devices that are known here, with those in the trash. */
export const knownDevices = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('device')
    .select(['device_id', 'org', 'label', 'groups'])
    .where('device_id', '=', sql<string>`any(${ids})`)
    .execute()

/** Writes facts of devices as mappings has them now. */
export async function saveDevices(tx: Db, devices: readonly AlarmDevice[]) {
  if (devices.length === 0) return
  await tx
    .insertInto('device')
    .values(devices.map((device) => ({ ...device, deleted: false })))
    .onConflict((conflict) =>
      conflict.column('device_id').doUpdateSet((eb) => ({
        org: eb.ref('excluded.org'),
        label: eb.ref('excluded.label'),
        groups: eb.ref('excluded.groups'),
      })),
    )
    .execute()
}

export const setDeleted = (tx: Db, deviceId: string, deleted: boolean) =>
  tx.updateTable('device').set({ deleted }).where('device_id', '=', deviceId).execute()

/** Ids of the devices of organizations. */
export async function devicesOf(db: Db, orgs: readonly string[]) {
  const rows = await db
    .selectFrom('device')
    .select('device_id')
    .where('org', '=', sql<string>`any(${orgs})`)
    .execute()
  return rows.map(({ device_id }) => device_id)
}
