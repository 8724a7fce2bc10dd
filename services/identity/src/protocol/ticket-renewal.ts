import { randomUUID } from 'node:crypto'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { errors } from 'oidc-provider'
import { type AccessClaims, type Bearer, tokenHolder } from '../tokens/access-token.ts'
import { adapterOf } from './oidc-adapter.ts'
import type { Call } from '../realms/realm-call.ts'
import { epochS } from '../sessions/session-store.ts'
import type { Wanted } from './ticket-rules.ts'

const typ = 'TicketRefresh'
const model = 'TicketRefreshToken'
const algorithm = 'HS256'
const kid = 'ticket-1'

type Renewal = { audience: string; wanted: Wanted[]; family?: string }
type Kept = Required<Renewal> & { claims: AccessClaims }
type Where = Pick<Call, 'deps' | 'realm'>

const keyOf = ({ deps: { secrets }, realm }: Where) =>
  secrets.derive(`identity/ticket-refresh/${kid}/${realm.name}`)

/** Test for the refresh token of a ticket, by its unverified `typ`; the signature is checked later. */
export function isTicketRefreshToken(token: string | null) {
  try {
    return token !== null && decodeJwt(token)['typ'] === typ
  } catch {
    return false // not a JWT; the provider refuses it
  }
}

/** Refresh token for a ticket: usable once (and for 10 s more) until its session ends. */
export async function makeTicketRefreshToken(
  { deps, realm }: Where,
  { claims, ends }: Bearer,
  { audience, wanted, family = randomUUID() }: Renewal,
) {
  const now = epochS()
  const { azp, sid, sub } = claims
  const jti = randomUUID()
  const kept: Kept = { audience, wanted, family, claims }
  const payload = { ...kept, accountId: sub, grantId: family }
  await adapterOf(deps.db, realm.name)(model).upsert(jti, payload, ends - now)
  const scope = wanted.map(({ organization }) => `org:${organization} `).join('')
  const token = await new SignJWT({ typ, azp, sid, session_state: sid, scope })
    .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
    .setIssuer(realm.issuer)
    .setAudience(realm.issuer)
    .setSubject(sub)
    .setJti(jti)
    .setIssuedAt(now)
    .setExpirationTime(ends)
    .sign(keyOf({ deps, realm }))
  return { refresh_token: token, refresh_expires_in: ends - now }
}

/**
 * Use the refresh token of a ticket up and answer its bearer and request. A token that was used before
 * revokes its whole family, since it may be stolen.
 */
export async function useTicketRefreshToken(call: Call) {
  const { deps, realm, field } = call
  const jti = await refreshTokenId(call, field('refresh_token') ?? '')
  if (jti === undefined) return undefined
  const records = adapterOf(deps.db, realm.name)(model)
  const kept = (await records.find(jti)) as (Kept & { consumed?: unknown }) | undefined
  if (!kept) return undefined
  if (kept.consumed !== undefined) {
    await records.revokeByGrantId(kept.family)
    return undefined
  }
  const bearer = await tokenHolder(deps, realm.name, kept.claims)
  if (!bearer) return undefined
  const used = await records.consume(jti).catch((error: unknown) => error)
  if (used instanceof errors.InvalidGrant) return undefined
  if (used !== undefined) throw used
  return { bearer, audience: kept.audience, wanted: kept.wanted, family: kept.family }
}

/** Id of the record of a valid refresh token that its own client sent; undefined for any other token. */
async function refreshTokenId(call: Call, token: string) {
  const { realm, field } = call
  const checks = { issuer: realm.issuer, audience: realm.issuer, algorithms: [algorithm] }
  const verified = await jwtVerify(token, keyOf(call), checks).catch(() => undefined) // an invalid token proves nothing
  const { jti, azp } = verified?.payload ?? {}
  return azp !== undefined && field('client_id') === azp ? jti : undefined
}
