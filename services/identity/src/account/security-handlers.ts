import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { mustBeFresh } from './account-call.ts'
import { uuid } from '../accounts/account-rules.ts'
import { accountBySub } from '../accounts/account-store.ts'
import { identityContract } from '../contract.ts'
import { deleteSecondFactor, secondFactorsOf } from '../factors/credential-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { securityEndpoints } from './security-contract.ts'
import { endSessionOf, sessionsOf } from '../sessions/session-list.ts'
import { forgetFailures, lockedUntil } from '../sign-in/lockout-store.ts'
import { findSession } from '../sessions/session-store.ts'
import { accountCounter } from '../sign-in/sign-in.ts'

type SecurityHandlers = Pick<Handlers<typeof identityContract>, keyof typeof securityEndpoints>

export const securityHandlers = (deps: IdentityDeps): SecurityHandlers => ({
  ...signingIn(deps),
  ...locks(deps),
})

const locks = ({ db, secrets, now }: IdentityDeps) =>
  ({
    accountLock: async ({ params: { sub } }) => {
      const counter = accountCounter({ secrets }, await existing(db, sub))
      const until = await lockedUntil(db, counter)
      return { lockedUntil: until && until > now() ? until : null }
    },

    liftAccountLock: async ({ params: { sub } }) => {
      await forgetFailures(db, accountCounter({ secrets }, await existing(db, sub)))
      return undefined
    },
  }) satisfies Partial<SecurityHandlers>

const signingIn = ({ db }: IdentityDeps) =>
  ({
    accountSessions: async ({ params: { sub } }) => sessionsOf(db, (await existing(db, sub)).sub),

    endAccountSession: async ({ params: { sub, session } }) => {
      const { realm } = await existing(db, sub)
      if (!(await endSessionOf(db, { realm, sub, id: session }))) {
        throw failure(identityContract, 'no_such_session', {
          message: 'Not found. The session may have ended.',
        })
      }
      return undefined
    },

    accountCredentials: async ({ params: { sub } }) =>
      secondFactorsOf(db, (await existing(db, sub)).sub),

    removeAccountCredential: async ({ params: { sub, credential }, query: { session: uid } }) => {
      const account = await existing(db, sub)
      if (uid !== undefined) {
        const session = await findSession(db, account.realm, uid)
        if (session?.accountId !== sub) throw noCredential()
        await mustBeFresh(db, { session, account })
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

async function existing(db: IdentityDeps['db'], sub: string) {
  const account = uuid.test(sub) ? await accountBySub(db, sub) : undefined
  if (!account) throw failure(identityContract, 'no_such_account', { sub })
  return account
}
