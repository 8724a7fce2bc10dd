import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** What a platform says of a version of the agent, and signs with its release key. */
export type ReleaseManifest = {
  version: string
  /** Of the program, in hex. */
  sha256: string
  bytes: number
  /** When this platform first had the version, in ms since 1970: a later one is newer. */
  releasedAt: number
  /** Somebody asked for it although it is older than what runs. */
  downgrade: boolean
}

/** What is signed. The order of its parts never changes. */
const textOf = ({ version, sha256, bytes, releasedAt, downgrade }: ReleaseManifest) =>
  Buffer.from(JSON.stringify(['longreach-agent', version, sha256, bytes, releasedAt, downgrade]))

/** The signature of an Ed25519 key, in base64. */
export const signRelease = (manifest: ReleaseManifest, key: KeyObject) =>
  sign(null, textOf(manifest), key).toString('base64')

/** Did the key, as base64 of its SPKI form, sign the manifest? */
export const isSignedBy = (publicKey: string, manifest: ReleaseManifest, signature: string) =>
  isOf(publicKey, textOf(manifest), signature)

/** What an old key signs of the one that takes its place; no manifest reads like it. */
const successionOf = (next: string) => Buffer.from(JSON.stringify(['longreach-release-key', next]))

/** The word of an old key, in base64, that the next one takes its place. */
export const endorse = (next: string, key: KeyObject) =>
  sign(null, successionOf(next), key).toString('base64')

/** Did the known key say that the next one takes its place? */
export const isEndorsedBy = (known: string, next: string, endorsement: string) =>
  isOf(known, successionOf(next), endorsement)

function isOf(publicKey: string, text: Buffer, signature: string) {
  try {
    const key = { key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' } as const
    return verify(null, text, createPublicKey(key), Buffer.from(signature, 'base64'))
  } catch {
    return false // what is no key has signed nothing
  }
}

/** Is the version of the program lower? What follows the + is a mark of its content and has no order. */
export function isLower(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)]
  const at = one.findIndex((number, index) => number !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}

const numbersOf = (version: string) => {
  const parts = (version.split(/[+-]/)[0] ?? '').split('.')
  return [0, 1, 2].map((index) => Number(parts[index]) || 0)
}
