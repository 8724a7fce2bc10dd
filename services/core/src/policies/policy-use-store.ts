import { type Expression, type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Executor = Kysely<CoreDb>
type Page = { page: number; pageSize: number }

export async function countPolicyDevices(db: Executor, policyId: number) {
  const { count } = await db
    .selectFrom('policy_device')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('policy_id', '=', policyId)
    .executeTakeFirstOrThrow()
  return count
}

/** For each of some groups its devices, and the people, groups and roles connected with it. */
export async function countUse(db: Executor, policies: readonly number[]) {
  const count = (table: string, column: string) =>
    sql<number>`(select count(*) from ${sql.table(`core.${table}`)} x where x.${sql.ref(column)} = p.id)`
  const rows = await db
    .selectFrom('security_policy as p')
    .select([
      'p.id',
      count('policy_device', 'policy_id').as('devices'),
      sql<number>`${count('user_policy', 'policy_id')} + ${count('group_policy', 'policy_id')}
        + (select count(distinct role_id) from core.role_rule x where x.device_group = p.id)`.as(
        'holders',
      ),
    ])
    .where(sql<boolean>`p.id = any(${[...policies]}::int[])`)
    .execute()
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** People and groups restricted to a device group, and roles with a rule for it alone. */
export async function listUse(db: Executor, policyId: number) {
  const people = await db
    .selectFrom('user_policy as up')
    .innerJoin('app_user as u', 'u.id', 'up.user_id')
    .select(['u.id', 'u.username', 'u.first_name as firstName', 'u.last_name as lastName'])
    .where('up.policy_id', '=', policyId)
    .orderBy('u.username')
    .limit(1_000)
    .execute()
  const userGroups = await db
    .selectFrom('group_policy as gp')
    .innerJoin('user_group as g', 'g.id', 'gp.group_id')
    .select(['g.id', 'g.label'])
    .where('gp.policy_id', '=', policyId)
    .orderBy('g.label')
    .orderBy('g.id')
    .execute()
  const roles = await db
    .selectFrom('role_rule as rr')
    .innerJoin('role as r', 'r.id', 'rr.role_id')
    .innerJoin(sql<{ action: string }>`unnest(rr.actions)`.as<'a'>(sql`a(action)`), (join) =>
      join.onTrue(),
    )
    .select(['r.id', 'r.label'])
    .select(sql<string[]>`array_agg(distinct a.action)`.as('actions'))
    .where('rr.device_group', '=', policyId)
    .groupBy(['r.id', 'r.label'])
    .orderBy('r.label')
    .orderBy('r.id')
    .execute()
  return { people, userGroups, roles }
}

/** Actions that roles with a rule for this group allow on its devices. */
export async function actionsOfPolicy(db: Executor, policyId: number) {
  const rows = await db
    .selectFrom('role_rule')
    .select(sql<string>`unnest(actions)`.as('action'))
    .distinct()
    .where('device_group', '=', policyId)
    .execute()
  return rows.map(({ action }) => action)
}

/** One page of the people restricted to a device group, and how many there are. */
export function listPolicyUsers(db: Executor, policyId: number, asked: Page) {
  const users = db.selectFrom('user_policy').select('user_id').where('policy_id', '=', policyId)
  return peopleAmong(db, users, asked)
}

/** People who see devices through this group: restricted to it, or by a role with a rule for it. */
export function listSeers(db: Executor, policyId: number, asked: Page) {
  const users = db
    .selectFrom('user_policy')
    .select('user_id')
    .where('policy_id', '=', policyId)
    .union(
      db
        .selectFrom('group_policy as gp')
        .innerJoin('group_member as gm', 'gm.group_id', 'gp.group_id')
        .innerJoin('membership as m', (join) =>
          join
            .onRef('m.user_id', '=', 'gm.user_id')
            .onRef('m.organization_id', '=', 'gm.organization_id'),
        )
        .select('gm.user_id')
        .where('m.group_policies_enabled', '=', true)
        .where('gp.policy_id', '=', policyId),
    )
    .union(
      db
        .selectFrom('role_rule as rr')
        .innerJoin('role as r', 'r.id', 'rr.role_id')
        .innerJoin('group_role as gr', 'gr.role_id', 'rr.role_id')
        .innerJoin('group_member as gm', 'gm.group_id', 'gr.group_id')
        .select('gm.user_id')
        .where('r.enabled', '=', true)
        .where('rr.device_group', '=', policyId),
    )
  return peopleAmong(db, users, asked)
}

type Ids = Expression<{ user_id: number }>

async function peopleAmong(db: Executor, users: Ids, { page, pageSize }: Page) {
  const query = db.selectFrom('app_user as u').where(sql<boolean>`u.id in ${users}`)
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .selectAll('u')
    .orderBy('u.username')
    .orderBy('u.id')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return { rows, total }
}
