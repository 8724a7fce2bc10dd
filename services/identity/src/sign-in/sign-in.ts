import { networkOf } from '@longreach/kit/network-of'
import { accountByName, type StoredAccount } from '../accounts/account-store.ts'
import { localName } from '@longreach/kit/person-name-rules'
import type { IdentityDeps } from '../identity-deps.ts'
import { accountLimit, addressLimit } from './lockout-rules.ts'
import { countAttempt, resetAttempts } from './lockout-store.ts'
import { browserOf } from './known-browser.ts'
import { passwordFits } from '../passwords/password-hash.ts'

type Attempt = {
  realm: string
  username: string
  password: string
  ip: string
  /** Cookie of an earlier sign-in from the same browser. */
  known?: string | undefined
  /** Session in which the person confirms the password. */
  session?: string
  /** Further condition on the account; if it is not met the password counts as wrong. */
  alsoNeeds?: (account: StoredAccount) => Promise<boolean>
}
type SignIn =
  | { kind: 'accepted'; account: StoredAccount }
  | { kind: 'wrong' }
  | { kind: 'locked'; retryAfterS: number }

/**
 * Check of a name and a password, with the lockout of sign-in. Every page and call that takes a password
 * uses it. The answer does not reveal if the name exists.
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
  await resetAttempts(db, { account, address })
  return { kind: 'accepted', account: found }
}

type Named = { realm: string; username: string }

/**
 * Key of the counter of wrong passwords for a name. It holds a fingerprint, since people sometimes type
 * their password as the name.
 */
export const accountCounter = ({ secrets }: Pick<IdentityDeps, 'secrets'>, named: Named) =>
  `account:${secrets.fingerprint('identity/sign-in', `${named.realm}/${named.username}`)}`

/** Key of the counter: a known browser or a session has its own, so that other people cannot lock it out. */
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
