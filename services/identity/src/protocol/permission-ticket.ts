import { randomUUID } from 'node:crypto'
import { type Bearer, bearerOf } from '../tokens/access-token.ts'
import { phoneClient } from '../clients/oauth-clients.ts'
import type { Call } from '../realms/realm-call.ts'
import { platformAudience } from '../tokens/scope-rules.ts'
import { epochS } from '../sessions/session-store.ts'
import { makeTicketRefreshToken, useTicketRefreshToken } from './ticket-renewal.ts'
import { grantedPermissions, type Wanted, wantedPermissions } from './ticket-rules.ts'
import { roleClaims, withoutRoles } from '../tokens/role-claims.ts'
import { personClaims } from '../tokens/token-claims.ts'

export const ticketGrant = 'urn:ietf:params:oauth:grant-type:uma-ticket'
const audiences = new Set([platformAudience, 'platform'])
const ticketTtlS = 300

type Answer = Awaited<ReturnType<typeof grantedPermissions>>

/**
 * Permission ticket for an access token: a signed list of the permissions of its holder in the requested
 * organizations. Permissions are looked up now, not read from the token.
 */
export const permissionTicket = async (call: Call) =>
  ticketFor(call, await bearerOf(call.deps, call.realm, call.request.headers.authorization))

/** Permission ticket for a bearer who is already verified. */
export async function ticketFor(call: Call, bearer: Bearer | undefined) {
  const { realm, form } = call
  if (!bearer) {
    call.reply.header('www-authenticate', `Bearer realm="${realm.name}", error="invalid_token"`)
    return refuseTicket(call, 401, 'invalid_grant', 'Invalid bearer token')
  }
  const asked = parseTicketRequest(form)
  if ('error' in asked) return refuseTicket(call, 400, asked.error, asked.why)
  const { audience, mode, wanted } = asked
  const granted = await lookUpPermissions(call, bearer, wanted)
  if (!granted) return refuseTicket(call, 403, 'access_denied', 'not_authorized')
  if (mode === 'decision') return sendTicket(call, 200, { result: true })
  if (mode === 'permissions') return sendTicket(call, 200, granted)
  const answer = await ticket(call, bearer, { audience, granted })
  // Only the mobile app renews tickets; other clients ask again with their access token.
  const more = bearer.claims.azp === phoneClient && { audience, wanted }
  return sendTicket(call, 200, {
    ...answer,
    ...(more && (await makeTicketRefreshToken(call, bearer, more))),
  })
}

type Question = { audience: string; mode: string | null; wanted: Wanted[] }

/** Request in the form, or an error when it is invalid. */
function parseTicketRequest(form: URLSearchParams): Question | { error: string; why: string } {
  const audience = form.get('audience') ?? platformAudience
  if (!audiences.has(audience) || form.getAll('audience').length > 1) {
    return { error: 'invalid_request', why: 'There is no such audience' }
  }
  const mode = form.get('response_mode')
  if (mode !== null && mode !== 'decision' && mode !== 'permissions') {
    return { error: 'invalid_request', why: 'response_mode is decision or permissions' }
  }
  const wanted = wantedPermissions(form.getAll('permission'))
  if (typeof wanted !== 'string') return { audience, mode, wanted }
  return { error: wanted, why: 'permission is an organization, or organization#scope,scope' }
}

/** New ticket for the refresh token of the last one; permissions are looked up again. */
export async function renewTicket(call: Call) {
  const found = await useTicketRefreshToken(call)
  if (!found) return refuseTicket(call, 400, 'invalid_grant', 'Invalid refresh token')
  const { bearer, audience, wanted, family } = found
  const granted = await lookUpPermissions(call, bearer, wanted)
  if (!granted) return refuseTicket(call, 403, 'access_denied', 'not_authorized')
  const answer = await ticket(call, bearer, { audience, granted })
  const next = await makeTicketRefreshToken(call, bearer, { audience, wanted, family })
  return sendTicket(call, 200, { ...answer, ...next })
}

/**
 * Granted permissions; without requested ones all permissions in up to 20 organizations of the person.
 * Undefined when the request is denied.
 */
async function lookUpPermissions(
  { deps }: Call,
  bearer: Bearer,
  wanted: Wanted[],
): Promise<Answer> {
  const { core } = deps.clients
  const { sub, acr } = bearer.claims
  const strong = acr === '2' || bearer.account.serviceAccount
  const everywhere = async () => {
    const memberships = await core.memberships({ query: { sub } })
    return memberships.slice(0, 20).map(({ resourceId }) => resourceId)
  }
  const names =
    wanted.length > 0 ? [...new Set(wanted.map((one) => one.organization))] : await everywhere()
  const held = await deps.rights.inOrganizations(
    { sub, organizations: names, strong },
    bearer.newest,
  )
  const wishes =
    wanted.length > 0 ? wanted : names.map((organization) => ({ organization, scopes: [] }))
  return wishes.length === 0 ? undefined : grantedPermissions(wishes, held)
}

type Granting = { audience: string; granted: NonNullable<Answer> }

async function ticket({ realm }: Call, bearer: Bearer, { audience, granted }: Granting) {
  const { azp, sid, sub, acr, act, impersonator } = bearer.claims
  const now = epochS()
  const ends = Math.min(now + ticketTtlS, bearer.ends)
  const scope = granted.map(({ rsname }) => `org:${rsname}`).join(' ')
  const claims = {
    ...personClaims(bearer.account),
    sub,
    typ: 'Bearer',
    azp,
    sid,
    session_state: sid,
    acr,
    act,
    impersonator,
    aud: audience,
    scope,
    iat: now,
    exp: ends,
    jti: randomUUID(),
    ...roleClaims(granted),
    authorization: { permissions: withoutRoles(granted) },
  }
  return {
    upgraded: false,
    // A type of its own, so that a ticket cannot be exchanged for another ticket.
    access_token: await realm.sign(claims, 'ticket+jwt'),
    expires_in: ends - now,
    refresh_expires_in: 0,
    token_type: 'Bearer',
    'not-before-policy': 0,
    session_state: sid,
    scope,
  }
}

const sendTicket = ({ reply }: Call, status: number, body: object) =>
  reply.code(status).header('cache-control', 'no-store').send(body)

const refuseTicket = (call: Call, status: number, error: string, error_description: string) =>
  sendTicket(call, status, { error, error_description })
