import { paging } from '@longreach/kit/contract'
import { z } from 'zod'

/** Organization of a call: `X`, `*` for the session's and all below, `X.*`. */
export const inOrganization = z.object({ organization: z.string().max(500).optional() })

/** Query fields of every list of this service. */
export const listQuery = {
  organization: z.string().max(500).optional(),
  search: z.string().max(500).optional(),
  ...paging(10),
  orderBy: z.string().max(100).optional(),
  orderDir: z
    .string()
    .transform((direction) => direction.toLowerCase())
    .pipe(z.enum(['asc', 'desc']))
    .optional(),
}
export type Order = { orderBy?: string | undefined; orderDir?: 'asc' | 'desc' | undefined }

/** A tree as clients post it: judged by the rules, kept as it is. */
export const tree = z.record(z.string(), z.unknown())

/** Most bytes of a call with a tree in it. */
export const largestTree = 4_000_000
/** Values of such a body: what ten thousand nodes say of themselves. */
export const mostTreeValues = 200_000

/** Something wrong in a posted tree: where, as the keys from its root, and what. */
export const Issue = z.object({
  path: z.string(),
  message: z.string(),
  /** An error keeps the tree from being saved, a warning does not. */
  severity: z.enum(['error', 'warning']),
  /** Rule that it breaks, for screens that have words of their own for it. */
  rule: z.string().optional(),
  /** Values that these words contain. */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** Place in a text that has lines, such as a formula; counted from 1. */
  startLineNumber: z.int().optional(),
  startColumn: z.int().optional(),
  endLineNumber: z.int().optional(),
  endColumn: z.int().optional(),
})
export type Issue = z.output<typeof Issue>
