import { recordChange } from '@longreach/kit/audit-trail'
import { AppError, failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { checkOutranks } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import type { securityEndpoints } from './security-contract.ts'
import { findMember, type MemberRow } from '../directory/user-store.ts'

type SecurityHandlers = Pick<Handlers<typeof coreContract>, keyof typeof securityEndpoints>

/** Sessions and second factors of the people whom the caller administers. */
export const securityHandlers = (deps: CoreDeps): SecurityHandlers => ({
  userSecurity: async ({ params: { user } }, ctx) => {
    const { sub } = await requireAdministered(deps, ctx, user)
    const account = await deps.clients.identity.account({ params: { sub } })
    const { emailVerified, requiredActions, lockedUntil, sessions, credentials } = account
    return { emailVerified, lockedUntil, requiredActions, sessions, credentials }
  },

  endUserSession: async ({ params: { user, session } }, ctx) => {
    const person = await requireAdministered(deps, ctx, user)
    const { identity } = deps.clients
    const params = { sub: person.sub }
    const { sessions: all } = await identity.account({ params })
    const ended = session === 'all' ? all : all.filter(({ id }) => id === session)
    if (session !== 'all' && ended.length === 0) throw credentialNotFound()
    await record(deps, ctx, person, {
      action: 'endSession',
      before: { addresses: ended.map(({ ipAddress }) => ipAddress) },
    })
    for (const { id } of ended) {
      await identity.updateAccount({ params, body: { endSession: id } }).catch(unlessGone)
    }
  },

  liftUserLock: async ({ params: { user } }, ctx) => {
    const person = await requireAdministered(deps, ctx, user)
    await record(deps, ctx, person, { action: 'liftLock', before: {} })
    await deps.clients.identity.updateAccount({
      params: { sub: person.sub },
      body: { liftLockout: true },
    })
  },

  removeUserCredential: async ({ params: { user, credential } }, ctx) => {
    const person = await requireAdministered(deps, ctx, user)
    const { identity } = deps.clients
    const params = { sub: person.sub }
    const { credentials } = await identity.account({ params })
    const factor = credentials.find(({ id }) => id === credential)
    if (!factor) throw credentialNotFound()
    const { type, userLabel } = factor
    await record(deps, ctx, person, {
      action: 'removeSecondFactor',
      before: { type, label: userLabel },
    })
    await identity.updateAccount({ params, body: { removeCredential: { id: credential } } })
  },
})

const credentialNotFound = () =>
  failure(coreContract, 'not_found', { message: 'It is not there any more; reload the page' })

/** Between the look and the end it may have ended by itself. */
function unlessGone(error: unknown) {
  if (error instanceof AppError && error.status === 404) return
  throw error
}

async function requireAdministered(deps: CoreDeps, ctx: OrgCtx, id: number) {
  const user = await findMember(deps.db, ctx.organization.id, id)
  if (!user) throw failure(coreContract, 'not_found', { message: 'No such person here' })
  await checkOutranks(deps, ctx, user)
  return user
}

type Told = { action: string; before: object }
const record = ({ db }: CoreDeps, ctx: OrgCtx, user: MemberRow, told: Told) =>
  db
    .transaction()
    .execute((tx) =>
      recordChange(tx, ctx, { resource: 'users', id: user.id, label: user.username, ...told }),
    )
