import { type JWTPayload, jwtVerify } from 'jose'
import { type StoredAccount, accountBySub } from '../accounts/account-store.ts'
import { findClient } from '../clients/client-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { isClient } from '../clients/oauth-clients.ts'
import type { Realm } from '../realms/realm.ts'
import { bearerStanding } from './refresh-store.ts'
import { platformAudience } from './scope-rules.ts'

export type AccessClaims = JWTPayload & {
  azp: string
  sid: string
  sub: string
  scope: string
  exp: number
  acr?: string
  act?: { sub: string; preferred_username: string }
  /** Administrator who acts as this person. */
  impersonator?: { sub: string; username: string }
}
/** Holder of a token; nothing made from it may be valid after `ends`, in seconds since 1970. */
export type Bearer = {
  claims: AccessClaims
  account: StoredAccount
  ends: number
  /** Newest event of core when the session was read; absent when it was not read. */
  newest?: number
}

/**
 * Longest lifetime of a token that a realm issues, in seconds (24 h); a token that claims more is
 * refused.
 */
const longestLifeS = 86_400

/**
 * Holder of an access token of the realm, while its session has not ended and the account is enabled;
 * undefined for any other token. Tickets, ID tokens and refresh tokens are not access tokens.
 */
export async function bearerOf(
  deps: Pick<IdentityDeps, 'db' | 'pool'>,
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
    // It also refuses tokens that claim to be issued in the future.
    maxTokenAge: longestLifeS,
  }).catch(() => undefined) // an invalid token proves nothing
  if (!verified) return undefined
  const claims = verified.payload as AccessClaims
  if (claims.exp - (claims.iat ?? 0) > longestLifeS) return undefined
  return tokenHolder(deps, realm.name, claims)
}

/** Holder of verified claims, while the session or client has not ended and the account is enabled. */
export async function tokenHolder(
  { db, pool }: Pick<IdentityDeps, 'db' | 'pool'>,
  realm: string,
  claims: AccessClaims,
): Promise<Bearer | undefined> {
  const { azp, sid, sub, exp } = claims
  if (!isClient(azp)) {
    const ends = await endOfClient(db, realm, claims)
    return ends === undefined
      ? undefined
      : bearerIfEnabled(claims, await accountBySub(db, sub), realm, ends)
  }
  const found = await bearerStanding(pool, { realm, session: sid, sub })
  if (found?.session.accountId !== sub) return undefined
  const bearer = bearerIfEnabled(claims, found.account, realm, found.session.exp ?? exp)
  return bearer && { ...bearer, newest: found.newest }
}

const bearerIfEnabled = (
  claims: AccessClaims,
  account: StoredAccount | undefined,
  realm: string,
  ends: number,
) => (account?.enabled && account.realm === realm ? { claims, account, ends } : undefined)

/** End of the token of a service account; undefined when its client was deleted or got a new secret. */
async function endOfClient(db: IdentityDeps['db'], realm: string, claims: AccessClaims) {
  const { azp, sid, sub, exp } = claims
  const client = await findClient(db, realm, azp)
  return client?.sub === sub && client.session === sid ? exp : undefined
}
