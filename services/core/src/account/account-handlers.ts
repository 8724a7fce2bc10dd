import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { CallerCtx, Handlers } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findUserBySub } from '../directory/user-store.ts'
import type { accountEndpoints } from './account-contract.ts'

type AccountHandlers = Pick<Handlers<typeof coreContract>, keyof typeof accountEndpoints>

/** Handlers for people's own accounts; identity keeps these. */
export const accountHandlers = (deps: CoreDeps): AccountHandlers => ({
  ownAccount: async (_, ctx) => toOwnAccount(deps, await own(deps, ctx)),

  updateOwnAccount: async ({ body }, ctx) => {
    const { sub } = ctx.caller
    const user = await own(deps, ctx)
    const before = { firstName: user.first_name, lastName: user.last_name }
    const { firstName = before.firstName, lastName = before.lastName } = body
    await deps.clients.identity.updateAccount({ params: { sub }, body: { firstName, lastName } })
    await deps.db.transaction().execute(async (tx) => {
      const names = { first_name: firstName, last_name: lastName }
      await tx.updateTable('app_user').set(names).where('id', '=', user.id).execute()
      await recordChange(tx, ctx, {
        ...about(user),
        action: 'update',
        before,
        after: { firstName, lastName },
      })
    })
    return toOwnAccount(deps, user)
  },

  removeOwnCredential: async ({ params: { id } }, ctx) => {
    const { sub, session = 'none' } = ctx.caller
    const user = await own(deps, ctx)
    const body = { removeCredential: { id, session } }
    await deps.clients.identity.updateAccount({ params: { sub }, body })
    await recordChange(deps.db, ctx, { ...about(user), action: 'removeSecondFactor' })
  },

  endOwnSession: async ({ params: { id } }, ctx) => {
    const user = await own(deps, ctx)
    const params = { sub: ctx.caller.sub }
    await deps.clients.identity.updateAccount({ params, body: { endSession: id } })
    await recordChange(deps.db, ctx, { ...about(user), action: 'endSession' })
  },
})

const about = ({ id, username }: { id: number; username: string }) => ({
  resource: 'account',
  id,
  label: username,
})

async function own({ db }: CoreDeps, { caller }: CallerCtx) {
  const user = await findUserBySub(db, caller)
  if (!user) throw failure(coreContract, 'not_found', { message: 'You have no account here' })
  return user
}

async function toOwnAccount({ clients: { identity } }: CoreDeps, { sub }: { sub: string }) {
  const account = await identity.account({ params: { sub } })
  const { username, email, firstName, lastName, credentials, sessions } = account
  return {
    username,
    email,
    firstName,
    lastName,
    credentials: credentials.map(({ createdDate, ...one }) => ({
      ...one,
      createdDate: createdDate.getTime(),
    })),
    sessions: sessions.map(({ id, ipAddress, lastAccess, started }) => ({
      id,
      ipAddress,
      username,
      lastAccess: lastAccess.getTime(),
      start: started.getTime(),
    })),
  }
}
