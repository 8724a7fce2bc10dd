import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import { localName } from '@longreach/kit/person-name-rules'
import type { CoreDb } from '../database.ts'
import type { User } from './person-contract.ts'

type Executor = Kysely<CoreDb>
export type UserRow = Selectable<CoreDb['app_user']>
/** A person with what holds for them in one organization. */
export type MemberRow = UserRow & { group_policies_enabled: boolean }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The account of a caller in the realm that they signed in to; other realms may have the same subject. */
export const findUserBySub = (db: Executor, { sub, realm }: { sub: string; realm: string }) =>
  uuid.test(sub)
    ? db
        .selectFrom('app_user')
        .selectAll()
        .where('sub', '=', sub)
        .where('realm', '=', realm)
        .executeTakeFirst()
    : Promise.resolve(undefined)

/** The same for who knows the account already. */
export const findKnownUser = (db: Executor, sub: string) =>
  uuid.test(sub)
    ? db.selectFrom('app_user').selectAll().where('sub', '=', sub).executeTakeFirst()
    : Promise.resolve(undefined)

/** A person of the realm by `name` or `name@realm`. */
export const findUserByName = (db: Executor, realm: string, username: string) =>
  db
    .selectFrom('app_user')
    .selectAll()
    .where('realm', '=', realm)
    .where('username', '=', localName(username, realm))
    .executeTakeFirst()

const membersOf = (db: Executor, organizationId: number) =>
  db
    .selectFrom('app_user as u')
    .innerJoin('membership as m', 'm.user_id', 'u.id')
    .selectAll('u')
    .select('m.group_policies_enabled')
    .where('m.organization_id', '=', organizationId)

/** A member of the organization by number. */
export const findMember = (db: Executor, organizationId: number, userId: number) =>
  membersOf(db, organizationId).where('u.id', '=', userId).executeTakeFirst()

/** A member of the organization by `name` or `name@realm`. */
export const findMemberByName = (
  db: Executor,
  { id, realm }: { id: number; realm: string },
  username: string,
) => membersOf(db, id).where('u.username', '=', localName(username, realm)).executeTakeFirst()

/** Members of the organization by their numbers; fewer when some are not there. */
export const membersByIds = (db: Executor, organizationId: number, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : membersOf(db, organizationId).where('u.id', 'in', ids).execute()

export const insertUser = (tx: Executor, user: Insertable<CoreDb['app_user']>) =>
  tx.insertInto('app_user').values(user).returningAll().executeTakeFirstOrThrow()

export const updateUser = (
  tx: Executor,
  id: number,
  change: Pick<Updateable<CoreDb['app_user']>, 'email' | 'first_name' | 'last_name' | 'enabled'>,
) =>
  tx
    .updateTable('app_user')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateMembership = (
  tx: Executor,
  { organizationId, userId }: { organizationId: number; userId: number },
  change: { group_policies_enabled: boolean },
) =>
  tx
    .updateTable('membership')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()

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
    .where('type', 'in', ['SELF_USER', 'SELF_USER_SERVICE'])
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
    .orderBy('organization_id')
    .execute()
  return rows.map((row) => row.organization_id)
}

/** resourceIds of every organization that a person is a member of. */
export const organizationsOfPerson = async (db: Executor, userId: number) => {
  const rows = await db
    .selectFrom('organization as o')
    .innerJoin('membership as m', 'm.organization_id', 'o.id')
    .select('o.resource_id')
    .where('m.user_id', '=', userId)
    .orderBy('o.resource_id')
    .execute()
  return rows.map((row) => row.resource_id)
}

export const insertMembership = (
  tx: Executor,
  membership: { organizationId: number; userId: number; groupPolicies?: boolean; home?: boolean },
) =>
  tx
    .insertInto('membership')
    .values({
      organization_id: membership.organizationId,
      user_id: membership.userId,
      group_policies_enabled: membership.groupPolicies ?? false,
      home: membership.home ?? false,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()

/** A person as the wire shows them. */
export const toUser = (row: UserRow & Partial<MemberRow>): User => ({
  id: row.id,
  sub: row.sub,
  username: row.username,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  serviceAccount: row.service_account,
  enabled: row.enabled,
  createdAt: row.created_at.getTime(),
  ...(row.group_policies_enabled !== undefined && {
    groupPoliciesEnabled: row.group_policies_enabled,
  }),
})
