import type { AddressInfo, Socket } from 'node:net'
import { createServer, type PeerCertificate, type TlsOptions, type TLSSocket } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import { createClients, type MqttIdentity } from './mqtt-clients.ts'
import { Connection } from './mqtt-connection.ts'
import { mqttLimits, type MqttLimits } from './mqtt-limits.ts'
import { reason } from './mqtt-reasons.ts'
import type { Message } from './mqtt-session.ts'

export type MqttOptions<I extends MqttIdentity> = {
  /** Key, certificate and the authority that client certificates must come from. */
  tls: TlsOptions
  /** Who holds a certificate that the authority signed; undefined when it is not let in. */
  identify: (certificate: PeerCertificate) => Promise<I | undefined>
  /** Resolves when the message is durable: only then is it acknowledged. */
  onPublish: (identity: I, message: Message) => Promise<void>
  /** A message on a topic that is not the client's; it goes nowhere. */
  onForeign: (identity: I, message: Message) => void
  onConnect: (identity: I, client: { ip: string; clientId: string }) => void
  onDisconnect: (identity: I) => void
  limits?: Partial<MqttLimits>
  log: FastifyBaseLogger
}

/**
 * An MQTT 3.1.1 and 5 endpoint over TLS with client certificates. Messages of a device go to
 * `onPublish` and to that device's own subscriptions; retained messages are not kept (MQTT 5
 * clients are told so), and there are no shared subscriptions.
 */
export function createMqttEndpoint<I extends MqttIdentity>(options: MqttOptions<I>) {
  const { log, identify, onForeign } = options
  const limits = { ...mqttLimits, ...options.limits }
  const connections = new Set<Connection>()
  const waiting = new Map<string, Socket>()
  let clock = Date.now()
  const clients = createClients<I>({
    ...options,
    limits,
    onLost: (error) => log.warn({ error }, 'a will could not be stored'),
  })
  const server = createServer({
    minVersion: 'TLSv1.2',
    handshakeTimeout: limits.connectMs,
    ...options.tls,
    requestCert: true,
    rejectUnauthorized: true,
  })

  const refusalOf = (identity: I | undefined | 'busy') => {
    if (identity === undefined) return reason.notAuthorized
    if (identity === 'busy') return reason.serverBusy
    const full =
      connections.size >= limits.connections ||
      clients.connected(identity.base).length >= limits.connectionsOfIdentity
    return full ? reason.quotaExceeded : undefined
  }

  async function accept(socket: TLSSocket) {
    const key = `${socket.remoteAddress}:${socket.remotePort}`
    const identity = await identify(socket.getPeerCertificate()).catch((error: unknown) => {
      log.error(error, 'a device could not be looked up')
      return 'busy' as const
    })
    if (socket.destroyed) return
    const known = identity as I // never used unless `refused` is undefined
    const connection = new Connection(socket, {
      limits,
      refused: refusalOf(identity),
      base: typeof identity === 'object' ? identity.base : '',
      clock: () => clock,
      log,
      foreign: (message) => onForeign(known, message),
      open: (connect, line) => {
        waiting.delete(key)
        const { client, clientId, present } = clients.open(known, connect, line)
        return {
          clientId,
          present,
          session: client.session,
          publish: (message) => clients.publish(client, message),
          left: (expiryS, will) => clients.left(client, line, expiryS, will),
        }
      },
    })
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  }

  server.on('connection', (socket: Socket) => {
    if (waiting.size >= limits.unauthenticated) return socket.destroy()
    const key = `${socket.remoteAddress}:${socket.remotePort}`
    waiting.set(key, socket)
    const late = () => waiting.get(key) === socket && socket.destroy()
    const timer = setTimeout(late, limits.connectMs)
    socket.setNoDelay(true).setKeepAlive(true, 60_000)
    return socket.once('close', () => {
      clearTimeout(timer)
      if (waiting.get(key) === socket) waiting.delete(key)
    })
  })
  server.on('tlsClientError', (error, socket) => {
    log.debug({ ip: socket.remoteAddress, why: error.message }, 'a TLS connection was refused')
  })
  server.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy()) // a broken line; `close` tells the rest
    void accept(socket)
  })
  const sweep = setInterval(() => {
    clock = Date.now()
    for (const connection of connections) {
      if (connection.isSilent(clock)) connection.end(reason.keepAliveTimeout)
    }
  }, 500)

  return {
    /** Listen on `port`, or a free one for 0; the port it is. */
    async listen(port: number) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, () => {
          server.off('error', reject)
          resolve()
        })
      })
      return (server.address() as AddressInfo).port
    },
    /** Send to the subscriptions of the device at `base`; how many took it. */
    publish: (base: string, message: Message) => clients.route(base, message),
    isConnected: (base: string) => clients.connected(base).length > 0,
    /** End the device's connections: it is deleted, or its certificate is revoked. */
    disconnect(base: string) {
      for (const { line } of clients.connected(base)) line?.end(reason.notAuthorized)
    },
    /** Another server certificate or authority; connections that exist stay. */
    renew: (tls: TlsOptions) => server.setSecureContext(tls),
    async close() {
      clearInterval(sweep)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of connections) connection.end(reason.shuttingDown)
      for (const socket of waiting.values()) socket.destroy()
      await closed
    },
  }
}
export type MqttEndpoint = ReturnType<typeof createMqttEndpoint>
