import { createHmac, timingSafeEqual } from 'node:crypto'

type HmacClaims = Record<string, unknown> & { iss?: string; aud?: string; jti?: string }

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * JWTs that only this installation verifies, signed with HS256 on the main thread, which takes
 * microseconds and less than a call of the thread pool. Only the header that `sign` writes is accepted.
 */
export function hmacTokens(key: Uint8Array, kid: string) {
  const header = encoded({ alg: 'HS256', kid, typ: 'JWT' })
  const macOf = (text: string) => createHmac('sha256', key).update(text).digest()
  return {
    sign(claims: HmacClaims) {
      const text = `${header}.${encoded(claims)}`
      return `${text}.${macOf(text).toString('base64url')}`
    },

    /** Claims of a token with a valid signature; expiry is checked by the caller. */
    read(token: string): HmacClaims | undefined {
      const [first, claims, mac, ...more] = token.split('.')
      if (first !== header || claims === undefined || mac === undefined || more.length > 0) {
        return undefined
      }
      const [given, own] = [Buffer.from(mac, 'base64url'), macOf(`${first}.${claims}`)]
      if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined
      return JSON.parse(Buffer.from(claims, 'base64url').toString()) as HmacClaims
    },
  }
}
