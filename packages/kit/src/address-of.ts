import type { IncomingMessage } from 'node:http'
import { isAmong } from './admission-check.ts'

/**
 * Address of the client of a raw request: its peer, or behind trusted proxies the last address in
 * `X-Forwarded-For` that is not one of them. For requests that the HTTP framework does not see.
 */
export function addressOf({ socket, headers }: IncomingMessage, trusted: readonly string[]) {
  const peer = socket.remoteAddress ?? ''
  if (trusted.length === 0 || !isAmong(trusted, peer)) return peer
  const told = String(headers['x-forwarded-for'] ?? '').split(',')
  const way = told.map((one) => one.trim()).filter((one) => one !== '')
  return way.findLast((one) => !isAmong(trusted, one)) ?? peer
}
