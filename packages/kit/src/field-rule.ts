import type { z } from 'zod'

/** What a field broke, by a name that a client can put into its person's words. */
type FieldRule =
  | { rule: 'required' | 'type' | 'choice' | 'unknown' | 'other' }
  /** `format` names the form that is asked for: `email`, `host_name`. */
  | { rule: 'form'; format?: string }
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
      return formOf(issue.format)
    case 'invalid_union':
      return ofUnion(issue)
    case 'invalid_value':
      return { rule: 'choice' }
    default:
      return { rule: 'other' }
  }
}

/** Formats without a name of their own say no more than their pattern. */
const nameless: ReadonlySet<string> = new Set(['regex', 'starts_with', 'ends_with', 'includes'])
const networks: ReadonlySet<string> = new Set(['ipv4', 'ipv6', 'cidrv4', 'cidrv6'])

function formOf(format: string): FieldRule {
  if (networks.has(format)) return { rule: 'form', format: 'address' }
  return nameless.has(format) ? { rule: 'form' } : { rule: 'form', format }
}

/** Of several forms that would do, the first that has a name. */
function ofUnion({ errors }: Extract<Issue, { code: 'invalid_union' }>): FieldRule {
  const format = errors
    .flat()
    .find(({ code, path }) => code === 'invalid_format' && path.length === 0)
  return format?.code === 'invalid_format' ? formOf(format.format) : { rule: 'other' }
}

type Sized = 'short' | 'long' | 'small' | 'large' | 'few' | 'many'

/** Of texts the length counts, of lists the number of entries, of numbers the value. */
function sized(origin: string, limit: number, names: [Sized, Sized, Sized]): FieldRule {
  if (origin === 'string' && limit === 1 && names[0] === 'short') return { rule: 'required' }
  const [ofText, ofList, ofNumber] = names
  if (origin === 'string') return { rule: ofText, limit }
  return { rule: origin === 'array' || origin === 'set' ? ofList : ofNumber, limit }
}
