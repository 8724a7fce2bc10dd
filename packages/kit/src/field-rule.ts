import type { z } from 'zod'

/** What a field broke, by a name that a client can put into its person's words. */
export type FieldRule =
  | { rule: 'required' | 'type' | 'form' | 'choice' | 'unknown' | 'other' }
  | { rule: 'short' | 'long' | 'small' | 'large' | 'few' | 'many'; limit: number }

type Issue = z.core.$ZodIssue

/** The rule behind an issue of zod: `short` with the least length, `form` for a pattern, and so on. */
export function fieldRuleOf(issue: Issue): FieldRule {
  switch (issue.code) {
    case 'too_small':
      return sized(issue.origin, Number(issue.minimum), ['short', 'few', 'small'])
    case 'too_big':
      return sized(issue.origin, Number(issue.maximum), ['long', 'many', 'large'])
    case 'invalid_type':
      return { rule: issue.input === undefined ? 'required' : 'type' }
    case 'invalid_format':
      return { rule: 'form' }
    case 'invalid_value':
      return { rule: 'choice' }
    default:
      return { rule: 'other' }
  }
}

type Sized = 'short' | 'long' | 'small' | 'large' | 'few' | 'many'

/** Of texts the length counts, of lists the number of entries, of numbers the value. */
function sized(origin: string, limit: number, names: [Sized, Sized, Sized]): FieldRule {
  if (origin === 'string' && limit === 1 && names[0] === 'short') return { rule: 'required' }
  const [ofText, ofList, ofNumber] = names
  if (origin === 'string') return { rule: ofText, limit }
  return { rule: origin === 'array' || origin === 'set' ? ofList : ofNumber, limit }
}
