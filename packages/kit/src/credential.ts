import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/** Clients send `Bearer x` or the bare token. */
export const tokenOf = (header: string | undefined) => header?.replace(/^Bearer\s+/i, '').trim()

/** Prefix of every API key. */
export const apiKeyPrefix = 'lrk_'

/**
 * Credential of a request: `Authorization: Bearer x`, `Authorization: x`, or an API key in
 * `X-Api-Key`. A request with two is refused, because their order would decide who the caller is.
 */
export function credentialOf({ headers, raw }: FastifyRequest): string | undefined {
  if (credentialsIn(raw.rawHeaders) > 1) {
    const message = 'Send one credential: an Authorization header or an X-Api-Key header'
    throw new AppError(400, 'auth.two_credentials', { message })
  }
  const key = headers['x-api-key']
  if (typeof key !== 'string') return tokenOf(headers.authorization)
  // A value of another form is passed on as an invalid key, so that the call is refused.
  return key.trim().startsWith(apiKeyPrefix) ? key.trim() : `${apiKeyPrefix}malformed`
}

/**
 * Number of headers with a credential. Node keeps only the first of two with the same name, so the
 * raw headers are counted.
 */
function credentialsIn(headers: readonly string[]) {
  let count = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    // Comparing the length first keeps this cheap: it runs for every request.
    if ((name.length === 13 || name.length === 9) && /^(authorization|x-api-key)$/i.test(name))
      count += 1
  }
  return count
}
