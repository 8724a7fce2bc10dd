import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Executor = Kysely<CoreDb>

/** The device is called something else, and so is its own group. */
export async function renameOwnGroup(tx: Executor, deviceId: string, label: string) {
  await tx.updateTable('device').set({ label }).where('id', '=', deviceId).execute()
  await tx
    .updateTable('security_policy')
    .set({ name: label })
    .where('device_id', '=', deviceId)
    .where('type', '=', 'SELF_DEVICE')
    .execute()
}

/** The group that is a device's own. */
export const ownGroup = (db: Executor, deviceId: string) =>
  db
    .selectFrom('security_policy')
    .select(['id', 'name'])
    .where('device_id', '=', deviceId)
    .where('type', '=', 'SELF_DEVICE')
    .executeTakeFirst()

/**
 * Take the group of a device away that is gone from here. Where people are restricted to it, it stays
 * as an empty group: without it they would see every device.
 */
export async function removeOwnGroup(tx: Executor, deviceId: string) {
  const own = await ownGroup(tx, deviceId)
  if (!own) return
  if (!(await restrictsSomebody(tx, own.id))) {
    await tx.deleteFrom('security_policy').where('id', '=', own.id).execute()
    return
  }
  await tx.deleteFrom('policy_device').where('policy_id', '=', own.id).execute()
  await tx
    .updateTable('security_policy')
    .set({ type: 'STANDARD', device_id: null, name: `${own.name} (${deviceId})` })
    .where('id', '=', own.id)
    .execute()
}

/** Is a person, or a group of people, restricted to this device group? */
async function restrictsSomebody(tx: Executor, policyId: number) {
  const held = await tx
    .selectFrom('user_policy')
    .select('policy_id')
    .where('policy_id', '=', policyId)
    .union(tx.selectFrom('group_policy').select('policy_id').where('policy_id', '=', policyId))
    .executeTakeFirst()
  return held !== undefined
}

/** Leave every group of organizations that are not at or above the one that the device goes to. */
export async function removeFromForeignGroups(
  tx: Executor,
  deviceId: string,
  organizationId: number,
) {
  await removeOwnGroup(tx, deviceId)
  await tx
    .deleteFrom('policy_device')
    .where('device_id', '=', deviceId)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('security_policy as p')
            .innerJoin('organization_tree as t', 't.ancestor', 'p.organization_id')
            .select(sql`1`.as('one'))
            .whereRef('p.id', '=', 'policy_device.policy_id')
            .where('t.descendant', '=', organizationId),
        ),
      ),
    )
    .execute()
}

type Inside = { inside: number; visible: RawBuilder<boolean>; page: number; pageSize: number }

/** One page of the groups that are their own of the devices in a group. */
export async function ownGroupsInside(db: Executor, { inside, visible, ...asked }: Inside) {
  const query = db
    .selectFrom('policy_device as held')
    .innerJoin('device as d', 'd.id', 'held.device_id')
    .innerJoin('security_policy as p', 'p.device_id', 'd.id')
    .where('held.policy_id', '=', inside)
    .where('p.type', '=', 'SELF_DEVICE')
    .where('p.id', '<>', inside)
    .where(visible)
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .select(['p.id', 'p.name', 'p.type'])
    .orderBy('p.name')
    .orderBy('p.id')
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
    .execute()
  return { rows, total }
}
