import { type Kysely, type Selectable, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import type { User } from './user-contract.ts'

type Executor = Kysely<CoreDb>
export type UserRow = Selectable<CoreDb['app_user']>

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const findUserBySub = (db: Executor, sub: string) =>
  uuid.test(sub)
    ? db.selectFrom('app_user').selectAll().where('sub', '=', sub).executeTakeFirst()
    : Promise.resolve(undefined)

export const findUserByName = (db: Executor, realm: string, username: string) =>
  db
    .selectFrom('app_user')
    .selectAll()
    .where('realm', '=', realm)
    .where('username', '=', username)
    .executeTakeFirst()

/** A member of the organization by number. */
export const findMember = (db: Executor, organizationId: number, userId: number) =>
  membersOf(db, organizationId).selectAll('u').where('u.id', '=', userId).executeTakeFirst()

const membersOf = (db: Executor, organizationId: number) =>
  db
    .selectFrom('app_user as u')
    .innerJoin('membership as m', 'm.user_id', 'u.id')
    .where('m.organization_id', '=', organizationId)

export type UserQuestion = {
  search?: string | undefined
  username?: string | undefined
  type: 'ANY' | 'STANDARD' | 'SERVICE'
  groupId?: number | undefined
  page: number
  pageSize: number
}

/** One page of an organization's people by user name, and how many there are. */
export async function searchMembers(db: Executor, organizationId: number, asked: UserQuestion) {
  const { search, username, type, groupId } = asked
  let query = membersOf(db, organizationId)
  if (username !== undefined) query = query.where('u.username', '=', username.toLowerCase())
  if (type !== 'ANY') query = query.where('u.service_account', '=', type === 'SERVICE')
  if (search !== undefined) {
    const text = sql`lower(concat_ws(' ', u.username, u.email, u.first_name, u.last_name))`
    query = query.where(sql<boolean>`strpos(${text}, lower(${search})) > 0`)
  }
  if (groupId !== undefined) {
    query = query.where('u.id', 'in', (eb) =>
      eb
        .selectFrom('group_member as gm')
        .select('gm.user_id')
        .where('gm.group_id', '=', groupId)
        .where('gm.organization_id', '=', organizationId),
    )
  }
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .selectAll('u')
    .orderBy('u.username')
    .orderBy('u.id')
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
    .execute()
  return { rows, total }
}

export const insertUser = (tx: Executor, user: Omit<UserRow, 'id'>) =>
  tx.insertInto('app_user').values(user).returningAll().executeTakeFirstOrThrow()

export const updateUser = (
  tx: Executor,
  id: number,
  change: Partial<Pick<UserRow, 'email' | 'first_name' | 'last_name'>>,
) =>
  tx
    .updateTable('app_user')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Take a person out of an organization and, when it was the last, delete them; says whether it was. */
export async function removeMember(tx: Executor, organizationId: number, userId: number) {
  await tx
    .deleteFrom('membership')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
  await tx
    .deleteFrom('user_group')
    .where('organization_id', '=', organizationId)
    .where('type', '=', 'SELF_USER_ANY')
    .where('name', '=', (eb) =>
      eb.selectFrom('app_user').select('username').where('id', '=', userId),
    )
    .execute()
  const { numDeletedRows } = await tx
    .deleteFrom('app_user')
    .where('id', '=', userId)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('membership').select('user_id').where('user_id', '=', userId)),
      ),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ids of every organization that a person is a member of. */
export const membershipsOf = async (db: Executor, userId: number) => {
  const rows = await db
    .selectFrom('membership')
    .select('organization_id')
    .where('user_id', '=', userId)
    .execute()
  return rows.map((row) => row.organization_id)
}

export const insertMembership = (tx: Executor, organizationId: number, userId: number) =>
  tx
    .insertInto('membership')
    .values({ organization_id: organizationId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()

/** A person as the wire shows them. */
export const shownUser = (row: UserRow): User => ({
  id: row.id,
  sub: row.sub,
  username: row.username,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  serviceAccount: row.service_account,
  groupPoliciesEnabled: false,
})
