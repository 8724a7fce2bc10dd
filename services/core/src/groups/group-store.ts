import type { Kysely, Selectable } from 'kysely'
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

/** Make the group's members exactly these. */
export async function setMembers(
  tx: Executor,
  { organizationId, groupId }: { organizationId: number; groupId: number },
  members: ReadonlyMap<number, 'ADMIN' | 'USER'>,
) {
  let gone = tx
    .deleteFrom('group_member')
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
  if (members.size > 0) gone = gone.where('user_id', 'not in', [...members.keys()])
  await gone.execute()
  for (const [userId, role] of members) {
    await insertMember(tx, { organizationId, groupId, userId, role })
  }
}

/** Make the group's roles exactly these. */
export async function setRoles(
  tx: Executor,
  organizationId: number,
  groupId: number,
  roles: readonly number[],
) {
  await tx
    .deleteFrom('group_role')
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
    .execute()
  if (roles.length > 0) await insertGroupRoles(tx, organizationId, groupId, roles)
}

export const insertGroupPolicies = (
  tx: Executor,
  organizationId: number,
  groupId: number,
  policies: readonly number[],
) =>
  tx
    .insertInto('group_policy')
    .values(
      policies.map((id) => ({ organization_id: organizationId, group_id: groupId, policy_id: id })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Make the device groups that the group is restricted to exactly these. */
export async function setPolicies(
  tx: Executor,
  organizationId: number,
  groupId: number,
  policies: readonly number[],
) {
  await tx
    .deleteFrom('group_policy')
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
    .execute()
  if (policies.length > 0) await insertGroupPolicies(tx, organizationId, groupId, policies)
}

export const deleteGroupPolicies = (
  tx: Executor,
  organizationId: number,
  groupId: number,
  policies: readonly number[],
) =>
  tx
    .deleteFrom('group_policy')
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
    .where('policy_id', 'in', policies)
    .execute()

export const renameGroup = (tx: Executor, organizationId: number, id: number, name: string) =>
  tx
    .updateTable('user_group')
    .set({ name, label: name })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

/** A person's part in a group; undefined when they are not in it. */
export async function partOf(db: Executor, organizationId: number, groupId: number, sub: string) {
  const row = await db
    .selectFrom('group_member as gm')
    .innerJoin('app_user as u', 'u.id', 'gm.user_id')
    .select('gm.role')
    .where('gm.organization_id', '=', organizationId)
    .where('gm.group_id', '=', groupId)
    .where('u.sub', '=', sub)
    .executeTakeFirst()
  return row?.role
}

type PageOfGroup = { group: number; page: number; pageSize: number }

/** One page of the device groups that a group's members are restricted to, by name. */
export async function policiesOfGroup(db: Executor, { group, page, pageSize }: PageOfGroup) {
  const query = db
    .selectFrom('group_policy as gp')
    .innerJoin('security_policy as p', 'p.id', 'gp.policy_id')
    .where('gp.group_id', '=', group)
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .select(['p.id', 'p.name', 'p.type'])
    .orderBy('p.name')
    .orderBy('p.id')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return { rows, total }
}
