import { figureNames } from '@longreach/formula/figures'
import { windowUnits } from '@longreach/formula/windows'
import { z } from 'zod'

const Span = z.object({ size: z.number().positive(), unit: z.enum(windowUnits) })
const Figure = z.object({ name: z.enum(figureNames), param: z.number().optional() })

/** Time in a formula of a preset: steps of its inputs, and the windows of its results. */
export const FormulaWindows = z.object({
  sampling: Span.optional(),
  figure: Figure.optional(),
  window: z.object({ mode: z.enum(['SCALAR', 'MOVING']), figure: Figure, span: Span }).optional(),
})
