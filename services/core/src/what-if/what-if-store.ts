import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

/** Changes of who is in which group, and which roles a group carries; none of them is made. */
export type WhatIf = {
  membersToAdd?: readonly { group: number; user: number }[]
  membersToRemove?: readonly { group: number; user: number }[]
  rolesToAdd?: readonly { group: number; role: number }[]
  rolesToRemove?: readonly { group: number; role: number }[]
  /** Each of these roles goes from each of these groups. */
  rolesToTake?: { groups: readonly number[]; roles: readonly number[] }
}

/** People with the same roles now, and the same afterwards. */
export type Alike = {
  before: number[]
  after: number[]
  people: number
  /** The first of them by user name. */
  users: number[]
}

/** Change whose affected people are looked up: of a role, of a group, or of one person. */
export type Affected =
  | { role: number }
  | { group: number; joining: readonly number[] }
  | { user: number }

const affectedSql = (affected: Affected) => {
  if ('role' in affected) {
    return sql`select gm.user_id from core.group_role gr
      join core.group_member gm on gm.group_id = gr.group_id where gr.role_id = ${affected.role}`
  }
  if ('group' in affected) {
    return sql`select user_id from core.group_member where group_id = ${affected.group}
      union select unnest(${[...affected.joining]}::int[])`
  }
  return sql`select ${affected.user}::int as user_id`
}

const named = 100

/**
 * The roles that reach people in an organization before and after a change, people with the same
 * ones counted together: a hundred thousand of them are a few dozen rows. Roles that are disabled
 * come along, since the change may enable them.
 */
export async function rolesBeforeAndAfter(
  db: Kysely<CoreDb>,
  organizationId: number,
  affected: Affected,
  whatIf: WhatIf,
): Promise<Alike[]> {
  const { membersToAdd = [], membersToRemove = [], rolesToAdd = [], rolesToRemove = [] } = whatIf
  const { rolesToTake: { groups: takenFrom, roles: taken } = { groups: [], roles: [] } } = whatIf
  const firsts = (pairs: readonly { group: number }[]) => pairs.map(({ group }) => group)
  const users = (pairs: readonly { user: number }[]) => pairs.map(({ user }) => user)
  const roles = (pairs: readonly { role: number }[]) => pairs.map(({ role }) => role)
  const { rows } = await sql<Alike>`
    with affected as (select distinct a.user_id from (${affectedSql(affected)}) a),
    above as (
      select t.ancestor as id from core.organization_tree t
      join core.organization a on a.id = t.ancestor
      join core.organization o on o.id = t.descendant
      where t.descendant = ${organizationId}
        and a.private_root is not distinct from o.private_root),
    members as (
      select gm.group_id, gm.user_id from core.group_member gm
      join affected a on a.user_id = gm.user_id
      where gm.organization_id in (select id from above)),
    members_after as (
      select * from members
      except select * from unnest(${firsts(membersToRemove)}::int[], ${users(membersToRemove)}::int[])
      union select * from unnest(${firsts(membersToAdd)}::int[], ${users(membersToAdd)}::int[])),
    carried as (
      select gr.group_id, gr.role_id from core.group_role gr
      where gr.group_id in (select group_id from members union select group_id from members_after)),
    carried_after as (
      select * from carried
      where not (group_id = any(${[...takenFrom]}::int[]) and role_id = any(${[...taken]}::int[]))
      except select * from unnest(${firsts(rolesToRemove)}::int[], ${roles(rolesToRemove)}::int[])
      union select * from unnest(${firsts(rolesToAdd)}::int[], ${roles(rolesToAdd)}::int[])),
    each as (
      select a.user_id,
        array(select distinct c.role_id from members m join carried c using (group_id)
          where m.user_id = a.user_id order by 1) as before,
        array(select distinct c.role_id from members_after m join carried_after c using (group_id)
          where m.user_id = a.user_id order by 1) as after
      from affected a)
    select e.before, e.after, count(*)::int as people,
      (array_agg(e.user_id order by u.username, e.user_id))[1:${sql.lit(named)}] as users
    from each e join core.app_user u on u.id = e.user_id
    group by e.before, e.after`.execute(db)
  return rows
}

/** Facts of roles that decide where they count. */
export const findRoleFacts = (db: Kysely<CoreDb>, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('role')
        .select(['id', 'enabled', 'inherit', 'organization_id'])
        .where('id', 'in', ids)
        .execute()

/** The people of these ids as they are named, by user name. */
export const peopleByIds = (db: Kysely<CoreDb>, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('app_user')
        .select(['id', 'sub', 'username', 'first_name', 'last_name', 'service_account', 'enabled'])
        .where('id', 'in', ids)
        .orderBy('username')
        .orderBy('id')
        .execute()

/** Groups of the organization that a person is in; the roles that each carries. */
export const groupsOfPerson = (db: Kysely<CoreDb>, organizationId: number, user: number) =>
  db
    .selectFrom('group_member as gm')
    .leftJoin('group_role as gr', 'gr.group_id', 'gm.group_id')
    .select(['gm.group_id as group', 'gr.role_id as role'])
    .where('gm.organization_id', '=', organizationId)
    .where('gm.user_id', '=', user)
    .orderBy('gm.group_id')
    .execute()
