import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { sizesOf, type TooMany } from './body-sizes.ts'
import type { Endpoint } from './contract.ts'
import { AppError } from './errors.ts'
import { fieldRuleOf } from './field-rule.ts'
import { droppedFields } from './unknown-fields.ts'

/** Parser of a call's request; a 400 names wrong and unknown fields. */
export function parserOf(endpoint: Endpoint) {
  // Made at first use: most calls of a contract are never made in a given process.
  let sizes: ReturnType<typeof sizesOf> | undefined
  return (request: FastifyRequest) => {
    const input: Record<string, unknown> = {}
    if (endpoint.body && endpoint.access !== 'service') {
      sizes ??= sizesOf(endpoint.body)
      const found = sizes(request.body, '')
      if (found) throw tooManyEntries(found)
    }
    for (const part of ['params', 'query', 'body'] as const) {
      const read = endpoint[part]?.safeParse(request[part], { reportInput: true })
      const unknown = part === 'params' ? [] : droppedFields(endpoint, part, request[part])
      if (read?.error) throw invalid(part, read.error, unknown)
      if (unknown.length > 0) throw invalidPart(part, unknown)
      if (read) input[part] = read.data
    }
    return input
  }
}

function tooManyEntries({ field, limit }: TooMany) {
  const message = `${field || 'body'}: at most ${limit} entries are expected`
  const fields = [{ field, message, rule: 'many', limit }]
  return new AppError(400, 'request.invalid', { message, part: 'body', fields })
}

/** Largest number of wrong fields in an answer. */
const mostFields = 100

/** Error 400 that lists each wrong field with the expected value, and each unknown field. */
export function invalid(part: string, error: z.ZodError, unknown: readonly WrongField[] = []) {
  // Unknown fields of a closed object are listed by name among the unknown ones.
  const issues = error.issues.filter(
    ({ code }) => unknown.length === 0 || code !== 'unrecognized_keys',
  )
  const fields = issues.slice(0, mostFields).map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
    ...fieldRuleOf(issue),
  }))
  return invalidPart(part, [...fields, ...unknown])
}

type WrongField = { field: string; message: string }

function invalidPart(part: string, fields: readonly WrongField[]) {
  const message = fields.map(({ field, message: why }) => `${field || part}: ${why}`).join('; ')
  return new AppError(400, 'request.invalid', { message, part, fields })
}
