import { can } from '@longreach/authorization/can'
import { recordChange } from '@longreach/kit/audit-trail'
import { AppError, failure } from '@longreach/kit/errors'
import type { CallerCtx, Handlers, OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { joinOrExtend, resolvePlace } from '../memberships/joining.ts'
import { limitNameGuesses, type NamingDeps } from '../memberships/name-guesses.ts'
import { findUserBySub } from '../directory/user-store.ts'
import type { invitationEndpoints } from './invitation-contract.ts'
import {
  findInvitation,
  cleanupInvitations,
  type InvitationRow,
  invitationsOf,
  invitationsTo,
  redeemInvitation,
  withdrawInvitation,
} from './invitation-store.ts'
import { joinOrInvite } from './inviting.ts'

type InvitationHandlers = Pick<Handlers<typeof coreContract>, keyof typeof invitationEndpoints>

export const invitationHandlers = (deps: NamingDeps): InvitationHandlers => ({
  ...invitationAdminHandlers(deps),
  ...answering(deps),
})

const invitationAdminHandlers = (deps: NamingDeps) =>
  ({
    inviteUser: async ({ body }, ctx) => {
      limitNameGuesses(deps, ctx)
      await cleanupInvitations(deps.db, ctx.now)
      const { outcome } = await joinOrInvite(deps, ctx, body)
      return { outcome }
    },

    invitations: async (_, { organization, now }) => invitationsOf(deps.db, organization.id, now),

    withdrawInvitation: async ({ params }, ctx) => {
      await deps.db.transaction().execute(async (tx) => {
        const user = await withdrawInvitation(tx, ctx.organization.id, params.invitation)
        if (!user) throw invitationNotFound()
        const { username } = user
        const what = { resource: 'users', action: 'withdrawInvitation' }
        await recordChange(tx, ctx, { ...what, id: username, label: username })
      })
    },
  }) satisfies Partial<InvitationHandlers>

const answering = (deps: CoreDeps) =>
  ({
    myInvitations: async (_, { caller, now }) =>
      (await invitationsTo(deps.db, { sub: caller.sub, realm: caller.realm, now })).map(
        toInvitation,
      ),

    acceptInvitation: async ({ params }, ctx) => {
      const row = await requireOwnInvitation(deps, ctx, params.invitation)
      const inside = await asInviter(deps, ctx, row)
      const place = await placeNow(deps, inside, row)
      const user = await findUserBySub(deps.db, ctx.caller)
      if (!user) throw invitationNotFound()
      await deps.db.transaction().execute(async (tx) => {
        if (!(await redeemInvitation(tx, row))) throw invitationNotFound()
        await joinOrExtend(tx, { ...inside, caller: ctx.caller }, user, place)
      })
      return toInvitation(row)
    },

    declineInvitation: async ({ params }, ctx) => {
      const row = await requireOwnInvitation(deps, ctx, params.invitation)
      await deps.db.transaction().execute(async (tx) => {
        if (!(await redeemInvitation(tx, row))) throw invitationNotFound()
        await recordChange(tx, ctx, {
          resource: 'users',
          action: 'declineInvitation',
          id: row.username,
          label: row.username,
          organization: row.resource_id,
        })
      })
    },
  }) satisfies Partial<InvitationHandlers>

async function requireOwnInvitation({ db }: CoreDeps, { caller, now }: CallerCtx, id: number) {
  const row = await findInvitation(db, { id, sub: caller.sub, realm: caller.realm, now })
  if (!row) throw invitationNotFound()
  return row
}

/** The call as the inviter would make it now: nobody gets more than the inviter may still give. */
async function asInviter(deps: CoreDeps, ctx: CallerCtx, row: InvitationRow): Promise<OrgCtx> {
  const admission = await deps.admit(row.inviter, String(row.organization_id))
  if (!admission || !can(admission.capability, 'users', 'create')) throw invitationNotFound()
  return { ...ctx, ...admission, caller: row.inviter, subtree: false }
}

async function placeNow(deps: CoreDeps, inside: OrgCtx, { wish }: InvitationRow) {
  try {
    return await resolvePlace(deps, inside, wish)
  } catch (error) {
    // A group or role is not there any more, or the inviter may not give it any more.
    throw error instanceof AppError ? invitationNotFound() : error
  }
}

const invitationNotFound = () =>
  failure(coreContract, 'not_found', {
    message: 'This invitation does not hold any more; ask for a new one',
  })

const toInvitation = (row: InvitationRow) => ({
  id: row.id,
  organization: { resourceId: row.resource_id, label: row.label },
  invitedBy: row.inviter.username,
  createdAt: row.createdAt,
})
