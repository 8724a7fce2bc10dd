import { type Kysely, type Selectable, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Executor = Kysely<CoreDb>
export type GroupRow = Selectable<CoreDb['user_group']>

/** Insert a group; undefined when there is one of that name and type. */
export const insertGroup = (tx: Executor, group: Omit<GroupRow, 'id'>) =>
  tx
    .insertInto('user_group')
    .values(group)
    .onConflict((conflict) => conflict.columns(['organization_id', 'type', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()

export const findGroup = (db: Executor, organizationId: number, id: number) =>
  db
    .selectFrom('user_group')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Groups of the organization by their ids; fewer when some are not there. */
export const groupsByIds = (db: Executor, organizationId: number, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('user_group')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', 'in', ids)
        .execute()

export const deleteGroup = (tx: Executor, organizationId: number, id: number) =>
  tx
    .deleteFrom('user_group')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

type Member = {
  organizationId: number
  groupId: number
  userId: number
  role: 'ADMIN' | 'USER'
}
/** Put a member of the organization into one of its groups, or change their part in it. */
export const insertMember = (tx: Executor, { organizationId, groupId, userId, role }: Member) =>
  tx
    .insertInto('group_member')
    .values({ organization_id: organizationId, group_id: groupId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet({ role }))
    .execute()

export const deleteMember = (tx: Executor, member: Omit<Member, 'role'>) =>
  tx
    .deleteFrom('group_member')
    .where('organization_id', '=', member.organizationId)
    .where('group_id', '=', member.groupId)
    .where('user_id', '=', member.userId)
    .returning('user_id')
    .executeTakeFirst()

export const listGroupMembers = (db: Executor, organizationId: number, groupId: number) =>
  db
    .selectFrom('group_member as gm')
    .innerJoin('app_user as u', 'u.id', 'gm.user_id')
    .selectAll('u')
    .select('gm.role')
    .where('gm.organization_id', '=', organizationId)
    .where('gm.group_id', '=', groupId)
    .orderBy('u.username')
    .execute()

/** The groups of an organization that a person is in. */
export const listPartsOf = (db: Executor, organizationId: number, userId: number) =>
  db
    .selectFrom('group_member')
    .select(['group_id as id', 'role'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('group_id')
    .execute()

export const insertGroupRoles = (
  tx: Executor,
  organizationId: number,
  groupId: number,
  roles: readonly number[],
) =>
  tx
    .insertInto('group_role')
    .values(
      roles.map((id) => ({ organization_id: organizationId, group_id: groupId, role_id: id })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const deleteGroupRoles = (
  tx: Executor,
  organizationId: number,
  groupId: number,
  roles: readonly number[],
) =>
  tx
    .deleteFrom('group_role')
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
    .where('role_id', 'in', roles)
    .execute()

export type GroupQuestion = {
  name?: string | undefined
  search?: string | undefined
  type?: GroupRow['type'] | undefined
  userId?: number | undefined
  username?: string | undefined
  roleId?: number | undefined
  adminOnly?: boolean | undefined
  page: number
  pageSize: number
}

/** One page of an organization's groups by name, and how many there are. */
export async function searchGroups(db: Executor, organizationId: number, asked: GroupQuestion) {
  const { name, search, type, userId, username, roleId, adminOnly } = asked
  let query = db.selectFrom('user_group as g').where('g.organization_id', '=', organizationId)
  if (name !== undefined) query = query.where('g.name', '=', name)
  if (type !== undefined) query = query.where('g.type', '=', type)
  if (search !== undefined) {
    query = query.where(sql<boolean>`strpos(lower(g.label), lower(${search})) > 0`)
  }
  if (roleId !== undefined) {
    query = query.where('g.id', 'in', (eb) =>
      eb.selectFrom('group_role as gr').select('gr.group_id').where('gr.role_id', '=', roleId),
    )
  }
  if (userId !== undefined || username !== undefined) {
    query = query.where('g.id', 'in', (eb) => {
      let of = eb
        .selectFrom('group_member as gm')
        .innerJoin('app_user as u', 'u.id', 'gm.user_id')
        .select('gm.group_id')
      if (userId !== undefined) of = of.where('u.id', '=', userId)
      if (username !== undefined) of = of.where('u.username', '=', username.toLowerCase())
      return adminOnly === true ? of.where('gm.role', '=', 'ADMIN') : of
    })
  }
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .selectAll('g')
    .orderBy('g.name')
    .orderBy('g.id')
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
    .execute()
  return { rows, total }
}
