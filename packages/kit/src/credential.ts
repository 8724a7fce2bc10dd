import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/** Clients send `Bearer x` or the bare token. */
export const tokenOf = (header: string | undefined) => header?.replace(/^Bearer\s+/i, '').trim()

/** What every API key begins with. */
export const apiKeyPrefix = 'lrk_'

/**
 * The one credential of a call: `Authorization: Bearer x`, `Authorization: x`, or an API key in
 * `X-Api-Key`. Two of them are refused: it would depend on the order who the caller is.
 */
export function credentialOf({ headers, raw }: FastifyRequest): string | undefined {
  if (credentialsIn(raw.rawHeaders) > 1) {
    const message = 'Send one credential: an Authorization header or an X-Api-Key header'
    throw new AppError(400, 'auth.two_credentials', { message })
  }
  const key = headers['x-api-key']
  if (typeof key !== 'string') return tokenOf(headers.authorization)
  // Anything else in this header is no key, and proves nothing.
  return key.trim().startsWith(apiKeyPrefix) ? key.trim() : `${apiKeyPrefix}malformed`
}

/** How many headers carry a credential: of two of one name Node tells the first alone. */
function credentialsIn(headers: readonly string[]) {
  let count = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    // Every call goes through here: few names have one of the two lengths.
    if ((name.length === 13 || name.length === 9) && /^(authorization|x-api-key)$/i.test(name))
      count += 1
  }
  return count
}
