import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { requireRecentSignIn } from './account-call.ts'
import { requireAccount } from './account-handlers.ts'
import { identityContract } from '../contract.ts'
import { deleteSecondFactor, secondFactorsOf } from '../factors/credential-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { securityEndpoints } from './security-contract.ts'
import { endSessionOf, sessionsOf } from '../sessions/session-list.ts'
import { deleteCounter, lockedUntil } from '../sign-in/lockout-store.ts'
import { findSession } from '../sessions/session-store.ts'
import { accountCounter } from '../sign-in/sign-in.ts'

type SecurityHandlers = Pick<Handlers<typeof identityContract>, keyof typeof securityEndpoints>

export const securityHandlers = (deps: IdentityDeps): SecurityHandlers => ({
  ...sessionHandlers(deps),
  ...lockoutHandlers(deps),
})

const lockoutHandlers = ({ db, secrets, now }: IdentityDeps) =>
  ({
    accountLock: async ({ params: { sub } }) => {
      const counter = accountCounter({ secrets }, await requireAccount({ db }, sub))
      const until = await lockedUntil(db, counter)
      return { lockedUntil: until && until > now() ? until : null }
    },

    liftAccountLock: async ({ params: { sub } }) => {
      await deleteCounter(db, accountCounter({ secrets }, await requireAccount({ db }, sub)))
      return undefined
    },
  }) satisfies Partial<SecurityHandlers>

const sessionHandlers = ({ db }: IdentityDeps) =>
  ({
    accountSessions: async ({ params: { sub } }) =>
      sessionsOf(db, (await requireAccount({ db }, sub)).sub),

    endAccountSession: async ({ params: { sub, session } }) => {
      const { realm } = await requireAccount({ db }, sub)
      if (!(await endSessionOf(db, { realm, sub, id: session }))) {
        throw failure(identityContract, 'no_such_session', {
          message: 'Not found. The session may have ended.',
        })
      }
      return undefined
    },

    accountCredentials: async ({ params: { sub } }) =>
      secondFactorsOf(db, (await requireAccount({ db }, sub)).sub),

    removeAccountCredential: async ({ params: { sub, credential }, query: { session: uid } }) => {
      const account = await requireAccount({ db }, sub)
      if (uid !== undefined) {
        const session = await findSession(db, account.realm, uid)
        if (session?.accountId !== sub) throw noCredential()
        await requireRecentSignIn(db, { session, account })
      }
      await db.transaction().execute(async (tx) => {
        if (!(await deleteSecondFactor(tx, sub, credential))) throw noCredential()
      })
      return undefined
    },
  }) satisfies Partial<SecurityHandlers>

const noCredential = () =>
  failure(identityContract, 'no_such_credential', {
    message: 'Not found. The credential may have been removed.',
  })
