import type { Id } from './id.ts'

/** Codes of what is wrong with a board that can be saved all the same. */
const problemCodes = [
  'unknown_slot',
  'unknown_path',
  'unknown_variable',
  'unknown_node',
  'unknown_page',
  'unknown_map',
  'unknown_bands',
  'unknown_widget',
  'other_model',
  'not_writable',
  'formula',
  'formula_past',
  'formula_input',
  'cycle',
  'overlapping',
  'off_page',
  'too_many_sources',
] as const
type ProblemCode = (typeof problemCodes)[number]

/** Problem of a node, or of the document if there is none: the property or place, and words to fill in. */
export type Problem = {
  code: ProblemCode
  node?: Id
  /** Property, event, or the slot or variable of the document. */
  at?: string
  params?: Readonly<Record<string, string | number>>
  /** Path that is probably meant. */
  nearest?: string
}
