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
  /** The administrator who acts as this person. */
  impersonator?: { sub: string; username: string }
}
/** Who holds a token; nothing made from it may outlive `ends`, in seconds. */
export type Bearer = {
  claims: AccessClaims
  account: StoredAccount
  ends: number
  /** Core's newest event when this was read; absent where it was not. */
  newest?: number
}

/** No realm makes a token that lives longer. */
const longestLifeS = 86_400

/**
 * Who holds this access token of the realm, as long as the session behind it lives and the person may
 * sign in. Tickets, ID tokens and refresh tokens are no access tokens. Undefined when it is not good.
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
    // Also refuses what claims to be made in the future.
    maxTokenAge: longestLifeS,
  }).catch(() => undefined) // whatever is wrong with it, it proves nothing
  if (!verified) return undefined
  const claims = verified.payload as AccessClaims
  if (claims.exp - (claims.iat ?? 0) > longestLifeS) return undefined
  return holderOf(deps, realm.name, claims)
}

/** Who these claims stand for, as long as what stands behind them lives and they may sign in. */
export async function holderOf(
  { db, pool }: Pick<IdentityDeps, 'db' | 'pool'>,
  realm: string,
  claims: AccessClaims,
): Promise<Bearer | undefined> {
  const { azp, sid, sub, exp } = claims
  if (!isClient(azp)) {
    const ends = await endOfClient(db, realm, claims)
    return ends === undefined
      ? undefined
      : allowed(claims, await accountBySub(db, sub), realm, ends)
  }
  const found = await bearerStanding(pool, { realm, session: sid, sub })
  if (found?.session.accountId !== sub) return undefined
  const bearer = allowed(claims, found.account, realm, found.session.exp ?? exp)
  return bearer && { ...bearer, newest: found.newest }
}

const allowed = (
  claims: AccessClaims,
  account: StoredAccount | undefined,
  realm: string,
  ends: number,
) => (account?.enabled && account.realm === realm ? { claims, account, ends } : undefined)

/** When the token of a service account's client ends; undefined when another has taken its place. */
async function endOfClient(db: IdentityDeps['db'], realm: string, claims: AccessClaims) {
  const { azp, sid, sub, exp } = claims
  const client = await findClient(db, realm, azp)
  return client?.sub === sub && client.session === sid ? exp : undefined
}
