import { networkOf } from '@longreach/kit/network-of'
import { accountByName, type StoredAccount } from '../accounts/account-store.ts'
import { localName } from '@longreach/kit/person-name-rules'
import type { IdentityDeps } from '../identity-deps.ts'
import { accountLimit, addressLimit } from './lockout-rules.ts'
import { countAttempt, forgiveAttempt } from './lockout-store.ts'
import { browserOf } from './known-browser.ts'
import { passwordFits } from '../passwords/password-hash.ts'

type Attempt = {
  realm: string
  username: string
  password: string
  ip: string
  /** The cookie of an earlier sign-in from the same browser. */
  known?: string | undefined
  /** The session in which somebody confirms who they are. */
  session?: string
  /** What else the account must meet where a password is all; else the attempt counts as wrong. */
  alsoNeeds?: (account: StoredAccount) => Promise<boolean>
}
type SignIn =
  | { kind: 'welcome'; account: StoredAccount }
  | { kind: 'wrong' }
  | { kind: 'locked'; retryAfterS: number }

/**
 * The one door for a name and a password: every page and call that takes a password goes through
 * here, so that the lock holds everywhere. The answer does not tell whether the name exists.
 */
export async function signIn(
  { db, secrets, now }: Pick<IdentityDeps, 'db' | 'secrets' | 'now'>,
  { realm, username, password, ip, alsoNeeds, ...from }: Attempt,
): Promise<SignIn> {
  const name = localName(username.slice(0, 255), realm)
  const account = counterOf({ secrets, now }, { realm, username: name }, from)
  const address = `address:${networkOf(ip)}`
  const keys = [
    { key: account, limit: accountLimit },
    { key: address, limit: addressLimit },
  ]
  const locked = await countAttempt(db, keys, now())
  if (locked) return { kind: 'locked', ...locked }
  const found = await accountByName(db, realm, name)
  const fits = await passwordFits(password, found?.passwordHash)
  if (!found || !fits || !found.enabled) return { kind: 'wrong' }
  if (alsoNeeds && !(await alsoNeeds(found))) return { kind: 'wrong' }
  await forgiveAttempt(db, { account, address })
  return { kind: 'welcome', account: found }
}

type Named = { realm: string; username: string }

/** The counter of wrong passwords that strangers share. What people type as a name is sometimes their password: only a fingerprint is kept. */
export const accountCounter = ({ secrets }: Pick<IdentityDeps, 'secrets'>, named: Named) =>
  `account:${secrets.fingerprint('identity/sign-in', `${named.realm}/${named.username}`)}`

/** Who showed once that the account is theirs has a counter of their own: no stranger locks them out. */
function counterOf(
  deps: Pick<IdentityDeps, 'secrets' | 'now'>,
  named: Named,
  { known, session }: Pick<Attempt, 'known' | 'session'>,
) {
  const shared = accountCounter(deps, named)
  if (session !== undefined) return `${shared}:session:${session}`
  const browser = known && browserOf(deps.secrets, named, known, deps.now())
  return browser ? `${shared}:browser:${browser}` : shared
}
