import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '@longreach/kit/secrets'

/** Crockford's base 32: no I, L, O and U, which people misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 80 random bits as four groups of four, as they are printed on labels: `7937-4BC4-9B5D-2DD1`. */
export function newActivationKey(): string {
  const letters = [...randomBytes(16)].map((byte) => alphabet[byte & 31])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** The same key however it was typed: case, blanks, dashes, O for 0, I and L for 1. */
const normalized = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')

export const fingerprintOf = ({ fingerprint }: Secrets, key: string) =>
  fingerprint('activation-key', normalized(key))

/** What the device shows when it asks for a certificate. It lives as long as the key it came from. */
export const apiKeyOf = ({ derive }: Secrets, deviceId: string, keyId: string) =>
  createHmac('sha256', derive('pairing-api-key')).update(`${deviceId}:${keyId}`).digest('base64url')

export function sameSecret(one: string, other: string) {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
