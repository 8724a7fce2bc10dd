import type { Caller } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import type { Wish } from '../directory/person-contract.ts'

type Executor = Kysely<CoreDb>
export const mostOpenInvitations = 500
const openMs = 30 * 24 * 3_600_000

type New = { organizationId: number; userId: number; wish: Wish; inviter: Caller; now: Date }

/** A later invitation of the same person takes the place of the earlier one. Answers whether there was none. */
export async function insertInvitation(tx: Executor, invitation: New) {
  const { organizationId, userId, wish, inviter, now } = invitation
  const asked = { wish: JSON.stringify(wish), inviter: JSON.stringify(inviter), created_at: now }
  const { fresh } = await tx
    .insertInto('membership_invitation')
    .values({ organization_id: organizationId, user_id: userId, ...asked })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(asked))
    .returning(sql<boolean>`xmax = 0`.as('fresh'))
    .executeTakeFirstOrThrow()
  return fresh
}

const open = (db: Executor, now: Date) =>
  db
    .selectFrom('membership_invitation as i')
    .innerJoin('organization as o', 'o.id', 'i.organization_id')
    .innerJoin('app_user as u', 'u.id', 'i.user_id')
    .where('o.status', '=', 'ACTIVE')
    .where('i.created_at', '>', new Date(now.getTime() - openMs))

export async function countInvitations(db: Executor, organizationId: number, now: Date) {
  const { count } = await open(db, now)
    .where('i.organization_id', '=', organizationId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const invitationsOf = (db: Executor, organizationId: number, now: Date) =>
  open(db, now)
    .select(['i.id', 'u.username', 'i.created_at as createdAt'])
    .select(sql<string>`i.inviter ->> 'username'`.as('invitedBy'))
    .where('i.organization_id', '=', organizationId)
    .orderBy('i.created_at')
    .orderBy('i.id')
    .limit(mostOpenInvitations)
    .execute()

type Invited = { sub: string; realm: string; now: Date }

const selectInvitations = (db: Executor, { sub, realm, now }: Invited) =>
  open(db, now)
    .select(['i.id', 'i.organization_id', 'i.wish', 'i.inviter', 'i.created_at as createdAt'])
    .select(['o.resource_id', 'o.label', 'u.id as userId', 'u.username'])
    .where(sql<boolean>`u.sub = ${sub}::uuid`)
    .where('u.realm', '=', realm)
    .where('u.enabled', '=', true)

export const invitationsTo = (db: Executor, invited: Invited) =>
  selectInvitations(db, invited).orderBy('i.created_at').orderBy('i.id').limit(100).execute()

export const findInvitation = (db: Executor, { id, ...invited }: Invited & { id: number }) =>
  selectInvitations(db, invited).where('i.id', '=', id).executeTakeFirst()

export type InvitationRow = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

/** An invitation is answered once: false when it was, or when it was made anew meanwhile. */
export async function redeemInvitation(tx: Executor, { id, createdAt }: InvitationRow) {
  const { numDeletedRows } = await tx
    .deleteFrom('membership_invitation')
    .where('id', '=', id)
    .where('created_at', '=', createdAt)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Take an invitation of the organization back; answers whom it was for. */
export const withdrawInvitation = (tx: Executor, organizationId: number, id: number) =>
  tx
    .deleteFrom('membership_invitation as i')
    .using('app_user as u')
    .whereRef('u.id', '=', 'i.user_id')
    .where('i.organization_id', '=', organizationId)
    .where('i.id', '=', id)
    .returning(['u.id', 'u.username'])
    .executeTakeFirst()

/** Delete invitations that nobody answered in time. */
export const cleanupInvitations = (db: Executor, now: Date) =>
  db
    .deleteFrom('membership_invitation')
    .where('created_at', '<=', new Date(now.getTime() - openMs))
    .execute()
