import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000
const shape = { algorithm: 'SHA1', digits: 6, period: stepMs / 1000 }

/** Secret for an authenticator app: 160 bits in base 32. */
export const newTotpSecret = () => new Secret({ size: 20 }).base32

type Owner = { issuer: string; username: string; secret: string }

/** `otpauth` URI for the QR code. Authenticator apps show issuer and name beside the code. */
export const totpUri = ({ issuer, username, secret }: Owner) =>
  new TOTP({ ...shape, issuer, label: username, secret }).toString()

/** Digits of a code without blanks, which people may type. */
const digitsOf = (code: string) => code.slice(0, 20).replace(/\s/g, '')

/**
 * Number of the 30 s step that a code belongs to: the current one, or one before or after for clocks
 * that differ. Undefined for a wrong code.
 */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const token = digitsOf(code)
  if (!/^\d{6}$/.test(token)) return undefined
  const timestamp = now.getTime()
  const delta = new TOTP({ ...shape, secret }).validate({ token, timestamp, window: 1 })
  return delta === null ? undefined : Math.floor(timestamp / stepMs) + delta
}

/** Code that an authenticator app shows at a time. */
export const totpCode = (secret: string, at: Date) =>
  new TOTP({ ...shape, secret }).generate({ timestamp: at.getTime() })

/** Secret in groups of four, for people who type it. */
export const inGroups = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ')
