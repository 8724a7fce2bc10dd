import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import type { Placed } from './device-groups.ts'
import { renameOwnGroup } from './device-own-group.ts'

/** Place devices that were made in one organization, in a few statements; a device that core has already gets its label. */
export async function placeNewDevices(
  tx: Kysely<CoreDb>,
  orgResourceId: string,
  devices: readonly Placed[],
) {
  const organization = await tx
    .selectFrom('organization')
    .select('id')
    .where('resource_id', '=', orgResourceId)
    .executeTakeFirst()
  if (!organization) return
  const { id } = organization
  const rows = JSON.stringify(devices.map(({ deviceId, label }) => ({ id: deviceId, label })))
  const { rows: made } = await sql<{ id: string }>`
    insert into core.device (id, label, organization_id)
    select id, label, ${id} from jsonb_to_recordset(${rows}::jsonb) as one(id text, label text)
    order by id collate "C" on conflict do nothing returning id`.execute(tx)
  const fresh = new Set(made.map((row) => row.id))
  // One that is here already stays where it is: it may have moved since.
  for (const { deviceId, label } of devices) {
    if (!fresh.has(deviceId)) await renameOwnGroup(tx, deviceId, label)
  }
  const ids = [...fresh]
  await sql`with own as (
      insert into core.security_policy (organization_id, name, type, device_id)
      select organization_id, label, 'SELF_DEVICE', id from core.device
      where id = any(${ids}::text[]) order by id
      on conflict do nothing returning id, device_id)
    insert into core.policy_device (policy_id, device_id) select id, device_id from own
    on conflict do nothing`.execute(tx)
  await sql`insert into core.policy_device (policy_id, device_id)
    select p.id, one.id from core.security_policy p
    join core.organization_tree t on t.ancestor = p.organization_id
    cross join unnest(${ids}::text[]) as one(id)
    where t.descendant = ${id} and p.type = 'ALL_DEVICES'
    on conflict do nothing`.execute(tx)
}
