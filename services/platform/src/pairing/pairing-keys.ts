import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '@longreach/kit/secrets'

/** Credential with which a device requests a certificate; valid as long as the key that it is derived from. */
export const apiKeyOf = ({ derive }: Secrets, deviceId: string, keyId: string) =>
  createHmac('sha256', derive('pairing-api-key')).update(`${deviceId}:${keyId}`).digest('base64url')

export function sameSecret(one: string, other: string) {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
