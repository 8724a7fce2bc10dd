import { figureNames } from '@longreach/formula/figures'
import { limits } from '@longreach/formula/limits'
import { timeUnits } from '@longreach/calendar/units'
import { z } from 'zod'

/** What an editor marks in a formula; lines and columns count from 1. */
const FormulaIssue = z.object({
  /** The kind of fault, for words in other languages; `values` stand in them. */
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

const Span = z.object({ size: z.number().positive(), unit: z.enum(timeUnits) })
const Figure = z.object({ name: z.enum(figureNames), param: z.number().optional() })

/** What a formula of a preset says about time: steps of its inputs, and stretches of its results. */
export const FormulaWindows = z.object({
  sampling: Span.optional(),
  figure: Figure.optional(),
  window: z.object({ mode: z.enum(['SCALAR', 'MOVING']), figure: Figure, span: Span }).optional(),
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
