import type { AddressInfo, Socket } from 'node:net'
import { createServer, type TlsOptions, type TLSSocket } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import type { MqttLimits } from './mqtt-limits.ts'

type Options = {
  tls: TlsOptions
  limits: MqttLimits
  log: FastifyBaseLogger
  /** A TLS socket with a good certificate; it counts as waiting until `signedIn` is called. */
  accept: (socket: TLSSocket, signedIn: () => void) => Promise<void>
}

const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress}:${remotePort}`

/** The TLS server: who has no good certificate or says nothing costs little, and not for long. */
export function createListener({ tls, limits, log, accept }: Options) {
  const waiting = new Map<string, Socket>()
  const server = createServer({
    minVersion: 'TLSv1.2',
    handshakeTimeout: limits.connectMs,
    ...tls,
    requestCert: true,
    rejectUnauthorized: true,
  })

  server.on('connection', (socket: Socket) => {
    if (waiting.size >= limits.unauthenticated) return socket.destroy()
    const key = keyOf(socket)
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
    const key = keyOf(socket)
    void accept(socket, () => waiting.delete(key))
  })

  return {
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
    renew: (next: TlsOptions) => server.setSecureContext(next),
    /** Resolves when the last socket is closed. */
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of waiting.values()) socket.destroy()
      await closed
    },
  }
}
