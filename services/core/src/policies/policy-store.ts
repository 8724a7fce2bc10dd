import { type Kysely, type Selectable, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

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

export type PolicyQuestion = {
  name?: string | undefined
  type?: PolicyRow['type'] | undefined
  deviceId?: string | undefined
  userId?: number | undefined
  page: number
  pageSize: number
}

/** One page of an organization's device groups by name, and how many there are. */
export async function searchPolicies(db: Executor, organizationId: number, asked: PolicyQuestion) {
  const { name, type, deviceId, userId } = asked
  let query = db.selectFrom('security_policy as p').where('p.organization_id', '=', organizationId)
  if (name !== undefined) query = query.where('p.name', '=', name)
  if (type !== undefined) query = query.where('p.type', '=', type)
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

/** A device of the organization or of one below it. */
export const findDevice = (db: Executor, organizationId: number, deviceId: string) =>
  db
    .selectFrom('device as d')
    .innerJoin('organization_tree as t', 't.descendant', 'd.organization_id')
    .select(['d.id', 'd.label'])
    .where('t.ancestor', '=', organizationId)
    .where('d.id', '=', deviceId)
    .executeTakeFirst()

export const insertPolicyDevice = (tx: Executor, policyId: number, deviceId: string) =>
  tx
    .insertInto('policy_device')
    .values({ policy_id: policyId, device_id: deviceId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('policy_id')
    .executeTakeFirst()

export const deletePolicyDevice = (tx: Executor, policyId: number, deviceId: string) =>
  tx
    .deleteFrom('policy_device')
    .where('policy_id', '=', policyId)
    .where('device_id', '=', deviceId)
    .returning('policy_id')
    .executeTakeFirst()

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
