import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000
const shape = { algorithm: 'SHA1', digits: 6, period: stepMs / 1000 }

/** A secret as authenticator programs take it: 160 bits in base 32. */
export const newTotpSecret = () => new Secret({ size: 20 }).base32

type Owner = { issuer: string; username: string; secret: string }

/** What the QR code says. Authenticator programs show issuer and name beside the code. */
export const totpUri = ({ issuer, username, secret }: Owner) =>
  new TOTP({ ...shape, issuer, label: username, secret }).toString()

/** People type the code in groups. */
const digitsOf = (code: string) => code.slice(0, 20).replace(/\s/g, '')

/**
 * The step that a code belongs to, one before or after now allowed for clocks that differ; undefined
 * when it is none of the three.
 */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const token = digitsOf(code)
  if (!/^\d{6}$/.test(token)) return undefined
  const timestamp = now.getTime()
  const delta = new TOTP({ ...shape, secret }).validate({ token, timestamp, window: 1 })
  return delta === null ? undefined : Math.floor(timestamp / stepMs) + delta
}

/** The code that an authenticator program shows at this moment. */
export const totpCode = (secret: string, at: Date) =>
  new TOTP({ ...shape, secret }).generate({ timestamp: at.getTime() })

/** A secret in groups of four, for people who type it. */
export const inGroups = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ')
