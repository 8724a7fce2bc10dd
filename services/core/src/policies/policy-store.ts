import { holdLock } from '@longreach/kit/locks'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { containsText } from '../search-text.ts'

type Executor = Kysely<CoreDb>
export type PolicyRow = Selectable<CoreDb['security_policy']>

type NewPolicy = Pick<PolicyRow, 'name' | 'type'> & { deviceId: string | null }
/** Insert a device group; undefined when there is one of that name (or already one for that device). */
export const insertPolicy = (
  tx: Executor,
  organizationId: number,
  { name, type, deviceId }: NewPolicy,
) =>
  tx
    .insertInto('security_policy')
    .values({ organization_id: organizationId, name, type, device_id: deviceId })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** Device groups of the organization by their ids; fewer when some are not there. */
export const policiesByIds = (db: Executor, organizationId: number, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('security_policy')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', 'in', ids)
        .execute()

export const deletePolicy = (tx: Executor, organizationId: number, id: number) =>
  tx
    .deleteFrom('security_policy')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

type PolicyQuestion = {
  name?: string | undefined
  type?: PolicyRow['type'] | undefined
  deviceId?: string | undefined
  userId?: number | undefined
  search?: string | undefined
  /** Groups that a rule of this role is limited to. */
  roleId?: number | undefined
  page: number
  pageSize: number
}

/** The own group of a device in the trash waits there with it. */
const ofLivingDevice = sql<boolean>`(p.device_id is null
  or exists (select from core.device d where d.id = p.device_id))`

/**
 * A device may have the name of a device group. A request by name finds one group, the device's own;
 * the other is found by name and type.
 */
const firstOfName = sql<boolean>`(p.type <> 'STANDARD' or not exists (
  select from core.security_policy own join core.device d on d.id = own.device_id
  where own.organization_id = p.organization_id and own.name = p.name))`

/** One page of an organization's device groups by name, and how many there are. */
export async function searchPolicies(db: Executor, organizationId: number, asked: PolicyQuestion) {
  const { name, type, deviceId, userId, search, roleId } = asked
  let query = db
    .selectFrom('security_policy as p')
    .where('p.organization_id', '=', organizationId)
    .where(ofLivingDevice)
  if (name !== undefined) query = query.where('p.name', '=', name)
  if (type !== undefined) query = query.where('p.type', '=', type)
  else if (name !== undefined) query = query.where(firstOfName)
  if (search !== undefined) {
    query = query.where(containsText(sql`p.name`, search))
  }
  if (roleId !== undefined) {
    query = query.where('p.id', 'in', (eb) =>
      eb
        .selectFrom('role_rule')
        .select(sql<number>`device_group`.as('policy_id'))
        .where('role_id', '=', roleId),
    )
  }
  if (deviceId !== undefined) {
    query = query.where('p.id', 'in', (eb) =>
      eb.selectFrom('policy_device').select('policy_id').where('device_id', '=', deviceId),
    )
  }
  if (userId !== undefined) {
    query = query.where('p.id', 'in', (eb) =>
      eb.selectFrom('user_policy').select('policy_id').where('user_id', '=', userId),
    )
  }
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .selectAll('p')
    .orderBy('p.name')
    .orderBy('p.id')
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
    .execute()
  return { rows, total }
}

/** One at a time in an organization, so that no name is given twice. */
export const lockNames = (tx: Executor, organizationId: number) =>
  holdLock(tx, 'core.policy_names', String(organizationId))

export async function isNameTaken(
  tx: Executor,
  organizationId: number,
  { name, except = 0 }: { name: string; except?: number | undefined },
) {
  const row = await tx
    .selectFrom('security_policy')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .where('id', '<>', except)
    .executeTakeFirst()
  return row !== undefined
}

export const renamePolicy = (
  tx: Executor,
  organizationId: number,
  { id, name }: { id: number; name: string },
) =>
  tx
    .updateTable('security_policy')
    .set({ name })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

export const insertPolicyDevice = (tx: Executor, policyId: number, deviceId: string) =>
  insertPolicyDevices(tx, policyId, [deviceId])

/** Put devices into a group; answers those that were not in it. */
export async function insertPolicyDevices(
  tx: Executor,
  policyId: number,
  deviceIds: readonly string[],
) {
  if (deviceIds.length === 0) return []
  const rows = await tx
    .insertInto('policy_device')
    .values(deviceIds.map((id) => ({ policy_id: policyId, device_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('device_id')
    .execute()
  return rows.map(({ device_id }) => device_id)
}

/** Take devices out of a group; answers those that were in it. */
export async function deletePolicyDevices(
  tx: Executor,
  policyId: number,
  deviceIds: readonly string[],
) {
  if (deviceIds.length === 0) return []
  const rows = await tx
    .deleteFrom('policy_device')
    .where('policy_id', '=', policyId)
    .where('device_id', 'in', deviceIds)
    .returning('device_id')
    .execute()
  return rows.map(({ device_id }) => device_id)
}

/** The groups that each of some devices is in, rising. */
export async function groupsOfDevices(db: Executor, deviceIds: readonly string[]) {
  const groups = new Map<string, number[]>()
  if (deviceIds.length === 0) return groups
  const rows = await db
    .selectFrom('policy_device')
    .select(['policy_id', 'device_id'])
    .where('device_id', 'in', deviceIds)
    .orderBy('policy_id')
    .execute()
  for (const { policy_id, device_id } of rows) {
    groups.set(device_id, [...(groups.get(device_id) ?? []), policy_id])
  }
  return groups
}

/** Ids of the groups that a device is in, rising. */
export async function groupsOfDevice(db: Executor, deviceId: string) {
  const rows = await db
    .selectFrom('policy_device')
    .select('policy_id')
    .where('device_id', '=', deviceId)
    .orderBy('policy_id')
    .execute()
  return rows.map(({ policy_id }) => policy_id)
}

export async function devicesIn(db: Executor, policyId: number) {
  const rows = await db
    .selectFrom('policy_device')
    .select('device_id')
    .where('policy_id', '=', policyId)
    .orderBy('device_id')
    .execute()
  return rows.map(({ device_id }) => device_id)
}

/** Put a device into the group of all devices of its organization and of each one above. */
export const insertIntoAllDevices = (tx: Executor, organizationId: number, deviceId: string) =>
  tx
    .insertInto('policy_device')
    .columns(['policy_id', 'device_id'])
    .expression((eb) =>
      eb
        .selectFrom('security_policy as p')
        .innerJoin('organization_tree as t', 't.ancestor', 'p.organization_id')
        .select(['p.id', sql<string>`${deviceId}::text`.as('device')])
        .where('t.descendant', '=', organizationId)
        .where('p.type', '=', 'ALL_DEVICES'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const insertUserPolicies = (
  tx: Executor,
  organizationId: number,
  userId: number,
  policies: readonly number[],
) =>
  tx
    .insertInto('user_policy')
    .values(
      policies.map((id) => ({ organization_id: organizationId, user_id: userId, policy_id: id })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const deleteUserPolicies = (
  tx: Executor,
  organizationId: number,
  userId: number,
  policies: readonly number[],
) =>
  tx
    .deleteFrom('user_policy')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('policy_id', 'in', policies)
    .execute()
