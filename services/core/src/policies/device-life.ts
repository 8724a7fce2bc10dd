import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { removeOwnGroup } from './device-own-group.ts'

type Executor = Kysely<CoreDb>

/** The device is in the trash: it is in no group and no list, and it is kept which ones it was in. */
export async function deleteDevice(tx: Executor, deviceId: string) {
  const device = await tx
    .selectFrom('device')
    .selectAll()
    .where('id', '=', deviceId)
    .forUpdate()
    .executeTakeFirst()
  if (!device) return
  const filled = await tx
    .selectFrom('policy_device as pd')
    .innerJoin('security_policy as p', 'p.id', 'pd.policy_id')
    .select('p.id')
    .where('pd.device_id', '=', deviceId)
    .where('p.type', '=', 'STANDARD')
    .execute()
  const policies = filled.map(({ id }) => id)
  await tx
    .insertInto('deleted_device')
    .values({ ...device, policies })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...device, policies }))
    .execute()
  await tx.deleteFrom('device').where('id', '=', deviceId).execute()
}

/** The device is back: it joins the groups again that it was in and that are still there. */
export async function restoreDevice(tx: Executor, deviceId: string) {
  const kept = await tx
    .deleteFrom('deleted_device')
    .where('id', '=', deviceId)
    .returning(['policies', 'number'])
    .executeTakeFirst()
  if (!kept) return
  if (kept.number !== null) {
    const { number } = kept
    await tx.updateTable('device').set({ number }).where('id', '=', deviceId).execute()
  }
  await sql`insert into core.policy_device (policy_id, device_id)
    select p.id, d.id from core.device d
    join core.organization_tree t on t.descendant = d.organization_id
    join core.security_policy p on p.organization_id = t.ancestor
    where d.id = ${deviceId} and p.type = 'STANDARD' and p.id = any(${kept.policies}::int[])
    on conflict do nothing`.execute(tx)
}

/** The device is gone for good. */
export async function purgeDevice(tx: Executor, deviceId: string) {
  await removeOwnGroup(tx, deviceId)
  await tx.deleteFrom('device').where('id', '=', deviceId).execute()
  await tx.deleteFrom('deleted_device').where('id', '=', deviceId).execute()
}
