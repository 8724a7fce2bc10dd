import { type JWTPayload, jwtVerify } from 'jose'
import { type StoredAccount, accountBySub } from './account-store.ts'
import { findClient } from './client-store.ts'
import type { IdentityDeps } from './identity-deps.ts'
import { isClient } from './oauth-clients.ts'
import type { Realm } from './realm-runtime.ts'
import { platformAudience } from './scope-rules.ts'
import { findSession } from './session-store.ts'

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
export type Bearer = { claims: AccessClaims; account: StoredAccount }

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
    requiredClaims: ['exp', 'sub', 'sid', 'azp'],
  }).catch(() => undefined) // whatever is wrong with it, it proves nothing
  if (!verified) return undefined
  const claims = verified.payload as AccessClaims
  if (!(await isAlive(db, realm.name, claims))) return undefined
  const account = await accountBySub(db, claims.sub)
  return account?.enabled && account.realm === realm.name ? { claims, account } : undefined
}

/** The session behind a token lives: a person's, or the one that a service account's client has now. */
async function isAlive(db: IdentityDeps['db'], realm: string, { azp, sid, sub }: AccessClaims) {
  if (isClient(azp)) return (await findSession(db, realm, sid))?.accountId === sub
  const client = await findClient(db, realm, azp)
  return client?.sub === sub && client.session === sid
}
