import { createHash } from 'node:crypto'
import { type EntryRow, entryColumns } from '../database.ts'

/** JSON with sorted names and without undefined: equal for equal values, in any order of their names. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Hash before the first entry. */
export const zeroHash = Buffer.alloc(32)

/** Digest of an entry and its search words in the chain: a change of either is detected. */
export const digestOf = (row: EntryRow, words: readonly string[]) =>
  sha256(canonical([entryColumns.map((column) => row[column]), [...words].toSorted()]))

type Link = { seq: number; at: Date; organization: string; digest: Buffer }

/** Hash of the chain at a link, over the hash before it and the link. */
export const hashOf = (before: Buffer, { seq, at, organization, digest }: Link) =>
  sha256(
    canonical([
      before.toString('hex'),
      seq,
      at.toISOString(),
      organization,
      digest.toString('hex'),
    ]),
  )
