import type { CallerCtx } from '@longreach/kit/service'
import type { FastifyRequest } from 'fastify'
import { jwtVerify } from 'jose'
import { administrationAudience } from '../protocol/client-credentials.ts'
import { administrationClients, masterRealm } from '../clients/client-rules.ts'
import { findClient } from '../clients/client-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { Realms } from '../realms/realm.ts'

/**
 * Administration client that makes this request, as caller for the audit trail; undefined for every
 * other token. Tokens of people and service accounts have another realm and another audience.
 */
export async function administrator(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  realms: Realms,
  request: FastifyRequest,
  realmName: string,
): Promise<CallerCtx | undefined> {
  const token = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const master = token === undefined ? undefined : await realms.find(masterRealm)
  if (!master || token === undefined) return undefined
  const verified = await jwtVerify(token, master.publicKeys, {
    issuer: master.issuer,
    audience: administrationAudience,
    algorithms: ['RS256'],
    typ: 'at+jwt',
    requiredClaims: ['exp', 'azp', 'sid'],
  }).catch(() => undefined) // an invalid token is no administrator
  const { azp, sid } = verified?.payload ?? {}
  if (typeof azp !== 'string' || !administrationClients.includes(azp)) return undefined
  const client = await findClient(db, masterRealm, azp)
  if (!client || client.session !== sid) return undefined
  return {
    caller: { kind: 'service', sub: azp, username: azp, realm: realmName },
    now: now(),
    ip: request.ip,
    signal: new AbortController().signal,
  }
}
