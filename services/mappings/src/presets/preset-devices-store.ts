import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'

/** Columns of a device whose configuration changed: what it reported about the old one says nothing now. */
export const noConfigurationYet = {
  configuration_sent: false,
  configuration_applied: false,
  configuration_error: null,
}

/** Lock devices in the order of their ids, so that no two who change several wait for each other. */
export const lockInOrder = (tx: Kysely<MappingsDb>, which: RawBuilder<boolean>) =>
  sql`select from mappings.device where ${which} order by id for update`.execute(tx)

/** Ids of the devices that have a preset, without those in the trash. */
export async function devicesWithPreset(db: Kysely<MappingsDb>, presetId: string) {
  const rows = await db
    .selectFrom('device')
    .select('id')
    .where('preset_id', '=', presetId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Take a preset that is deleted from the devices in the trash. */
export async function takePresetFromTrash(tx: Kysely<MappingsDb>, presetId: string) {
  await lockInOrder(tx, sql<boolean>`device.preset_id = ${presetId}`)
  await tx
    .updateTable('device')
    .set({ ...noConfigurationYet, preset_id: null })
    .where('preset_id', '=', presetId)
    .where('deleted_at', 'is not', null)
    .execute()
}

/** Mark the configuration of every device with a preset as not sent yet. */
export async function resetConfiguration(tx: Kysely<MappingsDb>, presetId: string) {
  await lockInOrder(tx, sql<boolean>`device.preset_id = ${presetId}`)
  await tx.updateTable('device').set(noConfigurationYet).where('preset_id', '=', presetId).execute()
}
