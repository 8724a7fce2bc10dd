import type { Secrets } from '@longreach/kit/secrets'
import { hmacTokens } from './hmac-token.ts'
import { inWireOrder } from '../tokens/scope-rules.ts'

const kid = 'refresh-1'

type Facts = {
  jti: string
  exp: number
  iat: number
  accountId: string
  clientId: string
  scope?: string
  sid?: string
  nonce?: string
}

/**
 * Refresh tokens as existing clients expect them: JWTs whose `scope` they read. The record with the id
 * `jti` decides; the signature keeps guessed ids away from the database.
 */
export function refreshTokens(
  secrets: Secrets,
  { realm, issuer }: { realm: string; issuer: string },
) {
  const tokens = hmacTokens(secrets.derive(`identity/refresh-token/${kid}/${realm}`), kid)
  return {
    sign: ({ jti, exp, iat, accountId, clientId, scope, sid, nonce }: Facts) =>
      tokens.sign({
        typ: 'Refresh',
        azp: clientId,
        scope: inWireOrder(scope ?? ''),
        sid,
        session_state: sid,
        nonce,
        iss: issuer,
        aud: issuer,
        sub: accountId,
        jti,
        iat,
        exp,
      }),

    /**
     * Id of the record; undefined for anything that is not a refresh token of this realm. Expiry is
     * checked at the record: an expired or used token must still be found, to detect its reuse.
     */
    idOf(token: string): string | undefined {
      const { typ, iss, aud, jti } = tokens.read(token) ?? {}
      return typ === 'Refresh' && iss === issuer && aud === issuer ? jti : undefined
    },
  }
}
