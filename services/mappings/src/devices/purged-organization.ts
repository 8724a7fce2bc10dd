import { publishAll } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'

type Gone = { resourceId: string }

/** Delete the devices, presets and models of purged organizations, and publish the deletion of the devices. */
export async function purgeOrganizations(tx: Kysely<MappingsDb>, gone: readonly Gone[]) {
  const organizations = gone.map(({ resourceId }) => resourceId)
  if (organizations.length === 0) return
  const devices = await tx
    .deleteFrom('device')
    .where('organization', 'in', organizations)
    .returning(['id', 'label', 'organization'])
    .execute()
  // Nothing elsewhere should use their presets; if something does, it goes on without.
  await tx
    .updateTable('device')
    .set({ preset_id: null })
    .where('preset_id', 'in', (eb) =>
      eb.selectFrom('preset').select('id').where('organization', 'in', organizations),
    )
    .execute()
  await tx.deleteFrom('device_import').where('organization', 'in', organizations).execute()
  await tx.deleteFrom('view_use').where('organization', 'in', organizations).execute()
  await tx.deleteFrom('segment').where('organization', 'in', organizations).execute()
  await tx.deleteFrom('preset').where('organization', 'in', organizations).execute()
  await tx.deleteFrom('model').where('organization', 'in', organizations).execute()
  const told = devices.map(({ id, label, organization }) => ({
    deviceId: id,
    label,
    orgResourceId: organization,
    state: 'purged' as const,
  }))
  await publishAll(tx, mappingsContract.events.deviceLife, told)
}
