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
 * Refresh tokens as clients in the field expect them: JWTs whose `scope` they read. What counts is the
 * record behind `jti`; the signature, with a key that nobody else has, keeps guesses away from it.
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
     * The record's id, or undefined for anything that is not a refresh token of this realm. The record
     * knows when it expires; an old token must still be found, to notice that it is used again.
     */
    idOf(token: string): string | undefined {
      const { typ, iss, aud, jti } = tokens.read(token) ?? {}
      return typ === 'Refresh' && iss === issuer && aud === issuer ? jti : undefined
    },
  }
}
