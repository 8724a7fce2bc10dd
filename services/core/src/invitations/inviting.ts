import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { administersSomewhere } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { Wish } from '../directory/person-contract.ts'
import { joinOrExtend, resolvePlace } from '../memberships/joining.ts'
import { findMember, findUserByName, type UserRow } from '../directory/user-store.ts'
import { countInvitations, insertInvitation, mostOpenInvitations } from './invitation-store.ts'

type Invited = Wish & { username: string }

/** Let somebody of the realm join whom the caller administers elsewhere; invite anybody else. */
export async function joinOrInvite(deps: CoreDeps, ctx: OrgCtx, { username, ...asked }: Invited) {
  const wish = Wish.parse(asked)
  const { id, realm } = ctx.organization
  const place = await resolvePlace(deps, ctx, wish)
  const user = await findUserByName(deps.db, realm, username)
  if (!user) {
    const message = `Nobody here is named "${username}"`
    throw failure(coreContract, 'not_found', { field: 'username', message })
  }
  if (await findMember(deps.db, id, user.id)) {
    const message = `${username} is in this organization already`
    throw failure(coreContract, 'username_taken', { field: 'username', message })
  }
  if (await administersSomewhere(deps, ctx, user)) {
    await deps.db.transaction().execute((tx) => joinOrExtend(tx, ctx, user, place))
    return { outcome: 'JOINED' as const, user }
  }
  await inviteToJoin(deps, ctx, user, wish)
  return { outcome: 'INVITED' as const }
}

// oxlint-disable-next-line max-params -- one person, one call, one wish
async function inviteToJoin(deps: CoreDeps, ctx: OrgCtx, user: UserRow, wish: Wish) {
  const { organization, caller, now } = ctx
  if ((await countInvitations(deps.db, organization.id, now)) >= mostOpenInvitations) {
    const message = `${mostOpenInvitations} invitations are open; withdraw some first`
    throw failure(coreContract, 'too_many_invitations', { message })
  }
  const asked = { organizationId: organization.id, userId: user.id, wish, inviter: caller, now }
  const fresh = await deps.db.transaction().execute(async (tx) => {
    const inserted = await insertInvitation(tx, asked)
    await recordChange(tx, ctx, {
      resource: 'users',
      action: 'invite',
      id: user.username,
      label: user.username,
      after: wish,
    })
    return inserted
  })
  // Nobody waits for the mail, and how long the answer takes says nothing either.
  if (fresh) void mailInvitation(deps, ctx, user)
}

async function mailInvitation({ clients, log }: CoreDeps, ctx: OrgCtx, user: UserRow) {
  const { resourceId, label } = ctx.organization
  try {
    const organization = { resourceId, label }
    const notice = { sub: user.sub, organization, person: ctx.caller.username }
    await clients.identity.sendMail({ body: { kind: 'membershipInvitation', ...notice } })
  } catch (error) {
    log.warn(error, 'a person was not told of an invitation')
  }
}
