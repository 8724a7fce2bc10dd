import type { z } from 'zod'

/** Broken rule of a field, under a name that the portal translates. */
type FieldRule =
  | { rule: 'required' | 'type' | 'choice' | 'unknown' | 'other' }
  /** `format` is the name of the expected form: `email`, `host_name`. */
  | { rule: 'form'; format?: string }
  | { rule: 'short' | 'long' | 'small' | 'large' | 'few' | 'many'; limit: number }

type Issue = z.core.$ZodIssue

/** Rule for a zod issue: `short` with the minimum length, `form` for a pattern, and so on. */
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
      return unionRule(issue)
    case 'invalid_value':
      return { rule: 'choice' }
    default:
      return { rule: 'other' }
  }
}

/** Formats that are not more specific than a pattern. */
const nameless: ReadonlySet<string> = new Set(['regex', 'starts_with', 'ends_with', 'includes'])
const networks: ReadonlySet<string> = new Set(['ipv4', 'ipv6', 'cidrv4', 'cidrv6'])

function formOf(format: string): FieldRule {
  if (networks.has(format)) return { rule: 'form', format: 'address' }
  return nameless.has(format) ? { rule: 'form' } : { rule: 'form', format }
}

/** Rule of a union: the first alternative with a named format. */
function unionRule({ errors }: Extract<Issue, { code: 'invalid_union' }>): FieldRule {
  const format = errors
    .flat()
    .find(({ code, path }) => code === 'invalid_format' && path.length === 0)
  return format?.code === 'invalid_format' ? formOf(format.format) : { rule: 'other' }
}

type Sized = 'short' | 'long' | 'small' | 'large' | 'few' | 'many'

/** Rule of a size: characters of a text, entries of a list, or the value of a number. */
function sized(origin: string, limit: number, names: [Sized, Sized, Sized]): FieldRule {
  if (origin === 'string' && limit === 1 && names[0] === 'short') return { rule: 'required' }
  const [ofText, ofList, ofNumber] = names
  if (origin === 'string') return { rule: ofText, limit }
  return { rule: origin === 'array' || origin === 'set' ? ofList : ofNumber, limit }
}
