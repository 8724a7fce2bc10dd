import type { Kysely } from 'kysely'
import type { AlarmsDb } from '../database.ts'

type Db = Kysely<AlarmsDb>

/** Settings of single devices that differ from a rule, with the labels of the devices. */
export const overridesOf = (db: Db, ruleId: string) =>
  db
    .selectFrom('rule_override')
    .innerJoin('device', 'device.device_id', 'rule_override.device_id')
    .select(['rule_override.device_id', 'device.label', 'device.org', 'device.groups', 'settings'])
    .where('rule_id', '=', ruleId)
    .where('device.deleted', '=', false)
    .orderBy('device.label')
    .execute()

type Written = { ruleId: string; deviceId: string; settings: object; at: Date; by: string }

/** Writes the settings of one device. */
export const saveOverride = (tx: Db, { ruleId, deviceId, settings, at, by }: Written) => {
  const row = { settings: JSON.stringify(settings), updated_at: at, updated_by: by }
  return tx
    .insertInto('rule_override')
    .values({ rule_id: ruleId, device_id: deviceId, ...row })
    .onConflict((conflict) => conflict.columns(['rule_id', 'device_id']).doUpdateSet(row))
    .execute()
}

/** Deletes the settings of one device; answers false when there were none. */
export async function dropOverride(tx: Db, ruleId: string, deviceId: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('rule_override')
    .where('rule_id', '=', ruleId)
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
