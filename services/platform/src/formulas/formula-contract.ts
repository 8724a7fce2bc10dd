import { limits } from '@longreach/formula/limits'
import { z } from 'zod'

/** Fault of a formula that an editor marks; lines and columns count from 1. */
const FormulaIssue = z.object({
  /** Kind of fault, for texts in other languages, into which `values` are inserted. */
  code: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  message: z.string(),
  /** 8 is an error, 4 a warning. */
  severity: z.int(),
  startLineNumber: z.int(),
  startColumn: z.int(),
  endLineNumber: z.int(),
  endColumn: z.int(),
})

export const formulaEndpoints = {
  /** Everything wrong with the formula of a preset, with its place; an empty list when nothing is. */
  validateFormula: {
    method: 'POST',
    path: '/preset/formula/validate',
    access: 'signed-in',
    apiKeys: true,
    reads: true,
    body: z.object({
      formula: z.object({
        functions: z.object({
          formula: z.object({ map: z.string().max(limits.length * 10) }),
        }),
      }),
      /** The paths that there are; without them every path is taken for one. */
      paths: z.array(z.string().max(2_000)).max(20_000).optional(),
    }),
    result: z.array(FormulaIssue),
  },
} as const
