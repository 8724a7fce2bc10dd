import { z } from 'zod'

/** Wildcards that a pattern may have: paths are never so deep, and each of them costs. */
const mostWildcards = 40

/** A path, or a pattern of some, as callers send it. */
export const pathPattern = z
  .string()
  .max(2_000)
  .refine((text) => (text.match(/\*\*?/g) ?? []).length <= mostWildcards, {
    error: `has more than ${mostWildcards} wildcards`,
  })
