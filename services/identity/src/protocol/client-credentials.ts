import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { accountBySub, type StoredAccount } from '../accounts/account-store.ts'
import { authenticatedClient } from '../clients/client-authentication.ts'
import { masterRealm } from '../clients/client-rules.ts'
import type { ClientRow } from '../clients/client-store.ts'
import { accessTokenTtlS } from './provider.ts'
import type { Call } from '../realms/realm-call.ts'
import {
  asksForOrganizations,
  availableScopes,
  inWireOrder,
  platformAudience,
} from '../tokens/scope-rules.ts'
import { epochS } from '../sessions/session-store.ts'
import { roleClaims, withoutRoles } from '../tokens/role-claims.ts'
import { permissionsFor, personClaims } from '../tokens/token-claims.ts'

export const clientGrant = 'client_credentials'
/** Audience of administration tokens, so that no service accepts one as a token of a person. */
export const administrationAudience = 'realm-management'

/**
 * Access token for a client itself (RFC 6749 4.4): of a service account, or an administration client of
 * `master`.
 */
export async function clientCredentials(call: Call) {
  const { deps, realm } = call
  const client = await authenticatedClient(call)
  if (!client) return refuseClient(call)
  if (realm.name === masterRealm) {
    const claims = { sub: client.client_id, aud: administrationAudience }
    return sendToken(call, client, {
      ...claims,
      preferred_username: `service-account-${client.client_id}`,
    })
  }
  const account = client.sub === null ? undefined : await accountBySub(deps.db, client.sub)
  if (!account?.enabled) return refuseClient(call)
  return sendToken(call, client, await serviceClaims(call, account))
}

/** An organization that is asked for and not theirs is dropped, as it is for people. */
async function serviceClaims({ deps: { clients, rights }, field }: Call, account: StoredAccount) {
  const { sub } = account
  const wished = (field('scope') ?? '').split(' ').filter(Boolean)
  const mine = asksForOrganizations(wished.join(' '))
    ? await clients.core.memberships({ query: { sub } })
    : []
  const available = new Set(availableScopes(mine.map(({ resourceId }) => resourceId)))
  const scope = inWireOrder(
    [...new Set(['profile', 'email', ...wished])].filter((one) => available.has(one)).join(' '),
  )
  const permissions = await permissionsFor(rights, { sub, scope, strong: true })
  return {
    ...personClaims(account),
    aud: platformAudience,
    scope,
    ...roleClaims(permissions),
    ...(permissions && { authorization: { permissions: withoutRoles(permissions) } }),
  }
}

async function sendToken({ realm, reply }: Call, client: ClientRow, claims: JWTPayload) {
  const now = epochS()
  const { client_id: azp, session: sid } = client
  const token = await realm.sign(
    {
      typ: 'Bearer',
      azp,
      client_id: azp,
      clientId: azp,
      sid,
      iat: now,
      exp: now + accessTokenTtlS,
      jti: randomUUID(),
      ...claims,
    },
    'at+jwt',
  )
  return reply.header('cache-control', 'no-store').send({
    access_token: token,
    expires_in: accessTokenTtlS,
    refresh_expires_in: 0,
    token_type: 'Bearer',
    'not-before-policy': 0,
    scope: claims['scope'] ?? '',
  })
}

const refuseClient = ({ reply, realm }: Call) =>
  reply
    .code(401)
    .header('cache-control', 'no-store')
    .header('www-authenticate', `Basic realm="${realm.name}"`)
    .send({
      error: 'invalid_client',
      error_description: 'Invalid client or Invalid client credentials',
    })
