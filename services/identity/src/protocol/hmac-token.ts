import { createHmac, timingSafeEqual } from 'node:crypto'

type HmacClaims = Record<string, unknown> & { iss?: string; aud?: string; jti?: string }

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * JWTs that only the house reads again, by HS256: a few microseconds here, where going through the
 * thread pool costs more than the work. Nothing but the one header that it writes is taken.
 */
export function hmacTokens(key: Uint8Array, kid: string) {
  const header = encoded({ alg: 'HS256', kid, typ: 'JWT' })
  const macOf = (text: string) => createHmac('sha256', key).update(text).digest()
  return {
    sign(claims: HmacClaims) {
      const text = `${header}.${encoded(claims)}`
      return `${text}.${macOf(text).toString('base64url')}`
    },

    /** What a token says, when it was signed here; its times are the reader's affair. */
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
