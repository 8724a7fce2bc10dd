import { AppError } from '@longreach/kit/errors'
import { Reply } from '@longreach/kit/reply'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { joinOrInvite } from '../invitations/inviting.ts'
import { makePerson } from '../memberships/account-making.ts'
import { inviteToSetPassword } from './invitation.ts'
import { joinWithRights, resolvePlace } from '../memberships/joining.ts'
import { limitNameGuesses, type NamingDeps } from '../memberships/name-guesses.ts'
import type { CreateUser, Invitation } from './user-contract.ts'
import type { UserHandlers } from './user-endpoints.ts'
import { toUser, type UserRow } from '../directory/user-store.ts'

export const userMaking = (deps: NamingDeps) =>
  ({
    createUser: async ({ body }, ctx) => {
      if (body.existing) return bringIn(deps, ctx, body)
      const made = await addToOrganization(deps, ctx, body).catch((error: unknown) => {
        // The answer tells that somebody in the realm has the name.
        if (error instanceof AppError && error.code === taken) limitNameGuesses(deps, ctx)
        throw error
      })
      const { user, clientSecret, invitation } = made
      const shown = { ...toUser(user), groupPoliciesEnabled: body.groupPoliciesEnabled }
      if (clientSecret === undefined) return { ...shown, ...(invitation && { invitation }) }
      const params = { sub: user.sub }
      const { client } = await deps.clients.identity.account({ params })
      return {
        ...shown,
        serviceAccountClient: client?.clientId,
        serviceAccountSecret: clientSecret,
      }
    },
  }) satisfies Partial<UserHandlers>

const taken = 'core.username_taken'

async function bringIn(deps: NamingDeps, ctx: OrgCtx, body: CreateUser) {
  limitNameGuesses(deps, ctx)
  const { groupPoliciesEnabled } = body
  const { user } = await joinOrInvite(deps, ctx, body)
  if (user) return { ...toUser(user), groupPoliciesEnabled }
  return new Reply(202, { 'content-type': 'application/json' }, '{"invited":true}')
}

type Added = { user: UserRow; clientSecret?: string | undefined; invitation?: Invitation }

/** Make a person in the organization of the call; invites who has no password. */
export async function addToOrganization(
  deps: CoreDeps,
  ctx: OrgCtx,
  body: CreateUser,
  /** Further writes for the new account, in the same transaction. */
  also?: (tx: Kysely<CoreDb>, user: UserRow) => Promise<void>,
): Promise<Added> {
  const { realm } = ctx.organization
  const place = await resolvePlace(deps, ctx, body)
  const made = await makePerson(deps, {
    realm,
    person: toPersonFacts(body),
    now: ctx.now,
    write: async (tx, user, clientSecret) => {
      await joinWithRights(tx, ctx, user, place)
      await also?.(tx, user)
      return { user, clientSecret }
    },
  })
  const invited = body.passwordChangeInvitation || body.password === undefined
  if (body.serviceAccount || !invited) return made
  return { ...made, ...(await invitationOf(deps, ctx, made.user)) }
}

/** The person is there already: without a link the administrator asks for one again. */
async function invitationOf(
  deps: CoreDeps,
  ctx: OrgCtx,
  user: UserRow,
): Promise<{ invitation?: Invitation }> {
  try {
    return { invitation: await inviteToSetPassword(deps, ctx.organization, user) }
  } catch (error) {
    deps.log.warn(error, 'a new person got no invitation')
    return {}
  }
}

const toPersonFacts = ({ email, ...body }: CreateUser) => ({
  username: body.username,
  email: email === '--' ? '' : email,
  firstName: body.firstName,
  lastName: body.lastName,
  serviceAccount: body.serviceAccount,
  emailVerified: body.emailVerified,
  temporaryPassword: body.temporaryPassword,
  ...(body.password !== undefined && !body.serviceAccount && { password: body.password }),
})
