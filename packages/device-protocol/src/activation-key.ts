import { randomBytes } from 'node:crypto'

/** Crockford's base 32: no I, L, O and U, which people misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** New key: 80 random bits as four groups of four, as they are printed on labels: `7937-4BC4-9B5D-2DD1`. */
export function newActivationKey(): string {
  const letters = [...randomBytes(16)].map((byte) => alphabet[byte & 31])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** The same key however it was typed: case, blanks, dashes, O for 0, I and L for 1. */
const normalized = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')

type Fingerprints = { fingerprint: (label: string, token: string) => string }

/** Hash of a key by the installation's secrets, by which it is stored and found. */
export const activationKeyFingerprint = ({ fingerprint }: Fingerprints, key: string) =>
  fingerprint('activation-key', normalized(key))
