import { type JWTPayload, jwtVerify } from 'jose'
import { type StoredAccount, accountBySub } from '../account/account-store.ts'
import { findClient } from '../clients/client-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { isClient } from '../clients/oauth-clients.ts'
import type { Realm } from '../realms/realm-runtime.ts'
import { platformAudience } from './scope-rules.ts'
import { findSession } from '../sign-in/session-store.ts'

export type AccessClaims = JWTPayload & {
  azp: string
  sid: string
  sub: string
  scope: string
  exp: number
  acr?: string
  act?: { sub: string; preferred_username: string }
  /** The administrator who acts as this person. */
  impersonator?: { sub: string; username: string }
}
/** Who holds a token; nothing made from it may outlive `ends`, in seconds. */
export type Bearer = { claims: AccessClaims; account: StoredAccount; ends: number }

/** No realm makes a token that lives longer. */
const longestLifeS = 86_400

/**
 * Who holds this access token of the realm, as long as the session behind it lives and the person may
 * sign in. Tickets, ID tokens and refresh tokens are no access tokens. Undefined when it is not good.
 */
export async function bearerOf(
  { db }: Pick<IdentityDeps, 'db'>,
  realm: Realm,
  header: string | undefined,
): Promise<Bearer | undefined> {
  const token = /^Bearer ([^\s]+)$/i.exec(header ?? '')?.[1]
  if (token === undefined) return undefined
  const verified = await jwtVerify(token, realm.publicKeys, {
    issuer: realm.issuer,
    audience: platformAudience,
    algorithms: ['RS256'],
    typ: 'at+jwt',
    requiredClaims: ['exp', 'iat', 'sub', 'sid', 'azp'],
    // Also refuses what claims to be made in the future.
    maxTokenAge: longestLifeS,
  }).catch(() => undefined) // whatever is wrong with it, it proves nothing
  if (!verified) return undefined
  const claims = verified.payload as AccessClaims
  if (claims.exp - (claims.iat ?? 0) > longestLifeS) return undefined
  const ends = await endOf(db, realm.name, claims)
  if (ends === undefined) return undefined
  const account = await accountBySub(db, claims.sub)
  return account?.enabled && account.realm === realm.name ? { claims, account, ends } : undefined
}

/**
 * When what stands behind a token ends: a person's session, or (for the one that a service account's
 * client has now) the token itself. Undefined when it has ended.
 */
export async function endOf(db: IdentityDeps['db'], realm: string, claims: AccessClaims) {
  const { azp, sid, sub, exp } = claims
  if (isClient(azp)) {
    const session = await findSession(db, realm, sid)
    return session?.accountId === sub ? (session.exp ?? exp) : undefined
  }
  const client = await findClient(db, realm, azp)
  return client?.sub === sub && client.session === sid ? exp : undefined
}
