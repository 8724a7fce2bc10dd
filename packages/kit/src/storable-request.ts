import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Refuses what PostgreSQL keeps in no text: the character U+0000, and half of a surrogate pair. At the
 * door of the whole server, so that no field of any call has to think of it.
 */
export function refuseUnstorable(
  request: FastifyRequest,
  _: FastifyReply,
  done: (refused?: Error) => void,
) {
  const { params, query, body } = request
  done(refusalOf('params', params) ?? refusalOf('query', query) ?? refusalOf('body', body))
}

function refusalOf(part: string, value: unknown) {
  const path = typeof value === 'string' ? unstorableForm(value) : unstorable(value)
  if (!path) return undefined
  const field = path.join('.')
  const message = 'A text cannot hold the character U+0000 or half of a pair. Leave it out.'
  const fields = [{ field, message, rule: 'form' }]
  return new AppError(400, 'request.invalid', { message, part, fields })
}

/** Where such a text stands, as a value or as a name; undefined when there is none. */
function unstorable(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : []
  // Bytes of a file are nobody's text.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined
  for (const [name, inner] of Object.entries(value)) {
    if (!isStorable(name)) return [name.toWellFormed().replaceAll('\0', '\ufffd')]
    const below = unstorable(inner)
    if (below) return [name, ...below]
  }
  return undefined
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** A form comes as it was sent; half pairs do not survive its decoding. */
function unstorableForm(form: string) {
  if (!form.includes('\0') && !form.includes('%00')) return undefined
  return unstorable(Object.fromEntries(new URLSearchParams(form)))
}
