import { statfsSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Error handler of all routes: turns a thrown value into the common error body. `home` is the
 * folder of the embedded database, if it is used.
 */
export const replyWithError =
  (home: string) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const known =
      error instanceof AppError
        ? error
        : (ofFastify(error) ?? ofDatabase(error, home) ?? ofDepth(error, request.body))
    return send(known, error, request, reply)
  }

function send(
  known: AppError | undefined,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // A client that has closed the connection gets no answer, and the aborted work is not an error.
  const left = reply.raw.destroyed && error instanceof Error && error.name === 'AbortError'
  if (!known && !left) request.log.error(error)
  const { status, code, details } = known ?? new AppError(500, 'internal', { request: request.id })
  if (status === 429 && typeof details['retryAfterS'] === 'number') {
    void reply.header('retry-after', String(details['retryAfterS']))
  }
  const message = typeof details['message'] === 'string' ? details['message'] : sentence(code)
  return reply
    .code(status)
    .send({ statusCode: status, error: STATUS_CODES[status] ?? 'Error', code, message, details })
}

/** Error for a refusal by Fastify: malformed JSON, too large a body, wrong media type. */
function ofFastify(error: unknown) {
  const { statusCode, code, message } = error as Partial<FastifyError>
  if (statusCode === undefined || statusCode >= 500) return undefined
  return new AppError(statusCode, 'request.refused', { message, reason: code })
}

/**
 * Deepest accepted nesting: more than any real body has, and far from the limit of the call stack.
 */
const deepest = 500

/** Error for a stack overflow caused by a deeply nested body; any other overflow is a bug. */
function ofDepth(error: unknown, body: unknown) {
  if (!(error instanceof RangeError) || !isDeep(body)) return undefined
  const message = `The body is nested deeper than ${deepest}. Nothing was changed.`
  return new AppError(400, 'request.too_deep', { message, field: 'body' })
}

/** Depth check level by level, since a recursive one would overflow too. */
function isDeep(body: unknown) {
  let level = [body]
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : [],
    )
    if (level.length === 0) return false
  }
  return true
}

const full = {
  message: 'The disk of the database is full. Nothing was changed. Make room and try again.',
}
const away = { message: 'The database is not available. Nothing was changed. Try again shortly.' }

const busy = {
  message: 'Another change was made at the same time. Nothing was changed. Try again.',
}

/**
 * Error for a temporary database failure: SQLSTATE 53100, 40P01, 40001, classes 08 and 57P, or a
 * missing socket.
 */
function ofDatabase(error: unknown, home: string) {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (/^40(P01|001)$/.test(code)) return new AppError(503, 'database.busy', busy)
  if (code === '53100') return new AppError(503, 'database.full', full)
  const lost = /^(08|57P)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/.test(code)
  if (!lost && !message.startsWith('Connection terminated')) return undefined
  // With a full disk PostgreSQL ends; it starts again when there is room for its log.
  if (isFull(home)) return new AppError(503, 'database.full', full)
  return new AppError(503, 'database.away', away)
}

/** Free bytes that PostgreSQL needs to start: one log file of 16 MB. */
const leastRoom = 16 * 1024 * 1024

function isFull(folder: string) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < leastRoom
  } catch {
    return false // there is no embedded database
  }
}

/** English sentence for a code: `mappings.not_found` as `Mappings: not found`. */
const sentence = (code: string) => {
  const [service = '', ...rest] = code.split('.')
  const words = rest.join(' ').replaceAll('_', ' ')
  return service.charAt(0).toUpperCase() + service.slice(1) + (words && `: ${words}`)
}
