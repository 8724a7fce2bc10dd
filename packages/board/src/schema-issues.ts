import type { z } from 'zod'
import type { DocumentIssue } from './issue.ts'
import { pointerPart } from './json.ts'
import { boardLimits } from './limits.ts'

type SchemaIssue = z.ZodError['issues'][number]

/** Faults of a document that its schema names, each at its place. */
export const schemaIssues = ({ issues }: z.ZodError): DocumentIssue[] =>
  issues.slice(0, boardLimits.issues).map((issue) => issueOf(issue, pointerOf(issue.path)))

const pointerOf = (path: readonly PropertyKey[]) =>
  path.map((key) => `/${pointerPart(String(key))}`).join('')

function issueOf(issue: SchemaIssue, pointer: string): DocumentIssue {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return { pointer, code: 'missing', limit: issue.expected }
      return { pointer, code: 'wrong_type', found: kindOf(issue.input), limit: issue.expected }
    case 'invalid_value':
      if (issue.input === undefined) return { pointer, code: 'missing' }
      return { pointer, code: 'not_one_of', ...shown(issue.input), limit: issue.values.join(', ') }
    case 'too_small':
      return { pointer, code: 'too_small', ...shown(issue.input), limit: Number(issue.minimum) }
    case 'too_big':
      return { pointer, code: 'too_big', ...shown(issue.input), limit: Number(issue.maximum) }
    case 'custom':
      return { pointer, code: issue.message === 'too_many' ? 'too_many' : 'invalid' }
    default:
      return { pointer, code: 'invalid', ...shown(issue.input) }
  }
}

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Value that was found, as far as it is short: the length of a list or text, else the value itself. */
function shown(value: unknown): { found?: string | number } {
  if (typeof value === 'number') return { found: value }
  if (typeof value === 'string') return { found: value.length > 60 ? value.length : value }
  return Array.isArray(value) ? { found: value.length } : {}
}
