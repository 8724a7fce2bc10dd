import type { z } from 'zod'
import { issueAt, type RuleIssue } from './issue.ts'

/** Issues of a value that its schema refuses, below a place. */
export const schemaIssues = ({ issues }: z.ZodError, place: string): RuleIssue[] =>
  issues.flatMap((issue) => issueOfSchema(issue, place))

type SchemaIssue = z.ZodError['issues'][number]

const lengths = new Set(['array', 'string', 'set', 'map'])

function issueOfSchema(issue: SchemaIssue, above: string): RuleIssue[] {
  const place = [above, ...issue.path.map(String)].filter((part) => part !== '').join('.')
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? [issueAt(place, 'missing')]
        : [issueAt(place, 'wrong_type', { expected: issue.expected })]
    case 'too_small':
      return [sized(place, issue.origin, Number(issue.minimum), 'small')]
    case 'too_big':
      return [sized(place, issue.origin, Number(issue.maximum), 'big')]
    case 'invalid_value':
      return issue.input === undefined
        ? [issueAt(place, 'missing')]
        : [issueAt(place, 'not_one_of', { options: issue.values.join(', ') })]
    case 'unrecognized_keys':
      return issue.keys.map((key) =>
        issueAt(place === '' ? key : `${place}.${key}`, 'unknown_field'),
      )
    case 'invalid_union':
      return [unionIssue(issue, place)]
    default:
      return [issueAt(place, 'invalid')]
  }
}

/** Fault of the field that chooses in a union, or of the whole value. */
function unionIssue(issue: Extract<SchemaIssue, { code: 'invalid_union' }>, place: string) {
  if (issue.discriminator !== undefined && 'options' in issue && Array.isArray(issue.options)) {
    return issueAt(place, 'not_one_of', { options: issue.options.join(', ') })
  }
  return issueAt(place, issue.input === undefined ? 'missing' : 'invalid')
}

function sized(place: string, origin: string, bound: number, size: 'small' | 'big') {
  const isSmall = size === 'small'
  const params = isSmall ? { least: bound } : { most: bound }
  if (!lengths.has(origin)) return issueAt(place, isSmall ? 'too_small' : 'too_large', params)
  if (origin === 'string') return issueAt(place, isSmall ? 'too_short' : 'too_long', params)
  return issueAt(place, isSmall ? 'too_few' : 'too_many', params)
}
