import type { Secrets } from '@longreach/kit/secrets'
import { jwtVerify, SignJWT } from 'jose'
import { inWireOrder } from './scope-rules.ts'

const kid = 'refresh-1'
const algorithm = 'HS256'

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
  const key = secrets.derive(`identity/refresh-token/${kid}/${realm}`)
  return {
    sign: ({ jti, exp, iat, accountId, clientId, scope, sid, nonce }: Facts) =>
      new SignJWT({
        typ: 'Refresh',
        azp: clientId,
        scope: inWireOrder(scope ?? ''),
        sid,
        session_state: sid,
        nonce,
      })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(accountId)
        .setJti(jti)
        .setIssuedAt(iat)
        .setExpirationTime(exp)
        .sign(key),

    /** The record's id, or undefined for anything that is not a refresh token of this realm. */
    async idOf(token: string): Promise<string | undefined> {
      const checks = { issuer, audience: issuer, algorithms: [algorithm], currentDate: new Date(0) }
      // The record knows when it expires; an old token must still be found, to notice that it is used again.
      const verified = await jwtVerify(token, key, checks).catch(() => undefined)
      return verified?.payload['typ'] === 'Refresh' ? verified.payload.jti : undefined
    },
  }
}
