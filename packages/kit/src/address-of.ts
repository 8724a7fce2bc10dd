import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/**
 * Reader of the client's address of a raw request: its peer, or behind trusted proxies the last
 * address in `X-Forwarded-For` that is not one of them. For requests that the HTTP framework does
 * not see; the same rule as its `trustProxy`.
 */
export function createAddressReader(trustedProxies: readonly string[]) {
  const isTrusted = trustedProxies.length > 0 ? proxyAddr.compile([...trustedProxies]) : () => false
  return (request: IncomingMessage): string => proxyAddr(request, isTrusted) ?? ''
}
