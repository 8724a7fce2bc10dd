import {
  createServer,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { isAmong } from './network-of.ts'
import { networkOf } from './network-of.ts'
import { answerUpgrades } from './upgrades.ts'

/**
 * Limits of the HTTP server for each connection and each network (an IPv4 address or an IPv6 /64).
 */
export type HttpLimits = {
  /** Time from the first byte of a request to its last. */
  requestMs: number
  /** Time from the connection to the last byte of the request headers. */
  headersMs: number
  /** Time without traffic in either direction; longer than any query may take. */
  silenceMs: number
  /** Time between two requests of a connection. */
  keepAliveMs: number
  /** Interval at which the first two limits are checked. */
  lookMs: number
  /** Largest length of path and query in characters. */
  urlLength: number
  connectionsPerNetwork: number
}

export const httpLimits: HttpLimits = {
  requestMs: 60_000,
  headersMs: 20_000,
  silenceMs: 330_000,
  keepAliveMs: 72_000,
  lookMs: 5_000,
  urlLength: 8_000,
  connectionsPerNetwork: 1_000,
}

/**
 * HTTP server with time limits for requests and limits for address length and connections of a
 * network.
 */
export function createHttpServer(
  handler: RequestListener,
  limits: HttpLimits,
  trustedProxies: readonly string[] = [],
): Server {
  const options = {
    requestTimeout: limits.requestMs,
    headersTimeout: limits.headersMs,
    connectionsCheckingInterval: limits.lookMs,
  }
  const server = createServer(options, (request, response) => {
    const { length = 0 } = request.url ?? ''
    if (length > limits.urlLength) return refuseUrl(response, limits.urlLength)
    handler(request, response)
  })
  server.keepAliveTimeout = limits.keepAliveMs
  server.setTimeout(limits.silenceMs)
  limitConnections(server, limits.connectionsPerNetwork, trustedProxies)
  answerUpgrades(server)
  return server
}

function refuseUrl(response: ServerResponse, limit: number) {
  const message = `The address is longer than ${limit} characters. Shorten it.`
  const body = { statusCode: 414, error: 'URI Too Long', code: 'request.url_too_long', message }
  response.writeHead(414, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ ...body, details: { limit } }))
}

const unreadable: Record<string, { status: number; code: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'request.headers_too_large',
    message: `Address and headers together are longer than ${maxHeaderSize} bytes. Shorten them.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request.too_slow',
    message: 'The request did not arrive in time. Send it again.',
  },
}
const noRequest = {
  status: 400,
  code: 'request.malformed',
  message: 'This is not an HTTP/1.1 request.',
}

/** Answers bytes that are not an HTTP request, which no route could answer. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return socket.destroy()
  const { status, code, message } = unreadable[error.code ?? ''] ?? noRequest
  const reason = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ statusCode: status, error: reason, code, message, details: {} })
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return socket.destroySoon()
}

/**
 * Limits connections of a network. Trusted proxies are exempt: all their users share one address.
 */
function limitConnections(server: Server, most: number, trustedProxies: readonly string[]) {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (trustedProxies.length > 0 && isAmong(trustedProxies, address)) return
    const network = networkOf(address)
    const count = open.get(network) ?? 0
    if (count >= most) return void socket.destroy()
    open.set(network, count + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}
