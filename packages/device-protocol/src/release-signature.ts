import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** Statement about a version of the agent that the platform signs with its release key. */
export type ReleaseManifest = {
  version: string
  /** Hash of the program, in hex. */
  sha256: string
  bytes: number
  /** Time in ms since 1970 when this platform first had the version; a later one is newer. */
  releasedAt: number
  /** An older version than the running one was requested explicitly. */
  downgrade: boolean
}

/** Text that is signed. The order of its parts never changes. */
const textOf = ({ version, sha256, bytes, releasedAt, downgrade }: ReleaseManifest) =>
  Buffer.from(JSON.stringify(['longreach-agent', version, sha256, bytes, releasedAt, downgrade]))

/** Ed25519 signature in base64. */
export const signRelease = (manifest: ReleaseManifest, key: KeyObject) =>
  sign(null, textOf(manifest), key).toString('base64')

/** Signature check; `publicKey` is base64 of the SPKI form. */
export const isSignedBy = (publicKey: string, manifest: ReleaseManifest, signature: string) =>
  isOf(publicKey, textOf(manifest), signature)

/** Text that an old key signs to endorse the next one. It cannot be mistaken for a manifest. */
const successionOf = (next: string) => Buffer.from(JSON.stringify(['longreach-release-key', next]))

/** Endorsement of the next key by the old one, in base64. */
export const endorse = (next: string, key: KeyObject) =>
  sign(null, successionOf(next), key).toString('base64')

/** Signature check of an endorsement: the known key signed the next one. */
export const isEndorsedBy = (known: string, next: string, endorsement: string) =>
  isOf(known, successionOf(next), endorsement)

function isOf(publicKey: string, text: Buffer, signature: string) {
  try {
    const key = { key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' } as const
    return verify(null, text, createPublicKey(key), Buffer.from(signature, 'base64'))
  } catch {
    return false // an invalid key has signed nothing
  }
}

/** Version comparison. The part after the + is a content hash and has no order. */
export function isLower(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)]
  const at = one.findIndex((number, index) => number !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}

const numbersOf = (version: string) => {
  const parts = (version.split(/[+-]/)[0] ?? '').split('.')
  return [0, 1, 2].map((index) => Number(parts[index]) || 0)
}
