import { createHash } from 'node:crypto'
import { type EntryRow, lineColumns } from './database.ts'

/** JSON with sorted names and without undefined: the same for the same value, however it was stored. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The hash before the first line. */
export const nothing = Buffer.alloc(32)

/** What stands for a line in the chain: nothing in it, nor its words for the search, can change unseen. */
export const digestOf = (row: EntryRow, words: readonly string[]) =>
  sha256(canonical([lineColumns.map((column) => row[column]), [...words].toSorted()]))

type Link = { seq: number; at: Date; organization: string; digest: Buffer }

/** The hash of the chain at a link: of everything before it, and of the link. */
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
