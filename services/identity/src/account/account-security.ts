import { failure } from '@longreach/kit/errors'
import type { StoredAccount } from '../accounts/account-store.ts'
import { identityContract } from '../contract.ts'
import { deleteSecondFactor, secondFactorsOf } from '../factors/credential-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { endSessionOf, sessionsOf } from '../sessions/session-list.ts'
import { findSession } from '../sessions/session-store.ts'
import { deleteCounter, lockedUntil } from '../sign-in/lockout-store.ts'
import { accountCounter } from '../sign-in/sign-in.ts'
import { requireRecentSignIn } from './account-call.ts'

/** Sessions, second factors and lockout of an account. */
export async function securityOf(deps: IdentityDeps, account: StoredAccount) {
  const { db } = deps
  const [sessions, credentials, lockout] = await Promise.all([
    sessionsOf(db, account.sub),
    secondFactorsOf(db, account.sub),
    lockedUntil(db, accountCounter(deps, account)),
  ])
  const isLocked = lockout && lockout > deps.now()
  return { sessions, credentials, lockedUntil: isLocked ? lockout : null }
}

type SecurityChange = {
  endSession?: string | undefined
  removeCredential?: { id: string; session?: string | undefined } | undefined
  liftLockout?: true | undefined
}

/** End a session, remove a second factor, or end the lockout, where the change says so. */
export async function changeSecurity(
  deps: IdentityDeps,
  account: StoredAccount,
  { endSession: session, removeCredential: credential, liftLockout }: SecurityChange,
) {
  if (session !== undefined) await endAccountSession(deps, account, session)
  if (credential) await removeSecondFactor(deps, account, credential)
  if (liftLockout) await deleteCounter(deps.db, accountCounter(deps, account))
}

async function endAccountSession({ db }: IdentityDeps, { realm, sub }: StoredAccount, id: string) {
  if (await endSessionOf(db, { realm, sub, id })) return
  throw failure(identityContract, 'no_such_session', {
    message: 'Not found. The session may have ended.',
  })
}

async function removeSecondFactor(
  { db }: IdentityDeps,
  account: StoredAccount,
  { id, session: uid }: { id: string; session?: string | undefined },
) {
  const { sub } = account
  if (uid !== undefined) {
    const session = await findSession(db, account.realm, uid)
    if (session?.accountId !== sub) throw secondFactorNotFound()
    await requireRecentSignIn(db, { session, account })
  }
  await db.transaction().execute(async (tx) => {
    if (!(await deleteSecondFactor(tx, sub, id))) throw secondFactorNotFound()
  })
}

/** Error for a second factor that the account does not have. */
export const secondFactorNotFound = () =>
  failure(identityContract, 'no_such_credential', {
    message: 'Not found. The credential may have been removed.',
  })
