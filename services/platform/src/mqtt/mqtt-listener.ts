import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Server, type TlsOptions } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import { networkOf } from '@longreach/kit/network-of'
import type { ProvenSocket } from './client-socket.ts'
import type { MqttLimits } from './mqtt-limits.ts'
import { createWaitingSockets } from './waiting-sockets.ts'

type Options = {
  tls: TlsOptions
  limits: MqttLimits
  log: FastifyBaseLogger
  /** A socket with a good certificate; it counts as waiting until `signedIn` is called. */
  accept: (socket: ProvenSocket, signedIn: () => void) => Promise<void>
}

const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress}:${remotePort}`
const handshakeRecord = 0x16
const recordHeaderBytes = 5
/** TLS 1.3 section 5.1. */
const longestRecord = 2 ** 14

/**
 * The TLS server. A socket waits in three steps (silent until its TLS hello, in the handshake until
 * its certificate is proven, signing in until its CONNECT), each with room of its own, so that who
 * says nothing never takes the place of who does.
 */
export function createListener({ tls, limits, log, accept }: Options) {
  const { silent, silentOfNetwork, helloMs, handshakes, handshakesOfNetwork, connectMs } = limits
  const silentOnes = createWaitingSockets({ all: silent, ofOne: silentOfNetwork, ms: helloMs })
  const shaking = createWaitingSockets({
    all: handshakes,
    ofOne: handshakesOfNetwork,
    ms: connectMs,
  })
  const proven = createWaitingSockets({
    all: limits.unauthenticated,
    ofOne: limits.unauthenticatedOfCertificate,
    ms: connectMs,
  })
  /** Functions that end the handshake of a socket, by its address. */
  const handshakeDone = new Map<string, () => void>()
  const secure = new Server({
    minVersion: 'TLSv1.2',
    handshakeTimeout: connectMs,
    ...tls,
    requestCert: true,
    rejectUnauthorized: true,
  })

  const admit = (socket: ProvenSocket) => {
    const signedIn = proven.add(socket.getPeerCertificate().fingerprint256, socket)
    void accept(socket, signedIn)
  }
  const paced = createPacer()
  const server = createServer((socket) => {
    socket.setNoDelay(true).setKeepAlive(true, 60_000)
    socket.on('error', () => socket.destroy()) // a broken line
    const network = networkOf(socket.remoteAddress ?? '')
    const heard = silentOnes.add(network, socket)
    onHello(socket, () => {
      heard()
      const key = keyOf(socket)
      const done = shaking.add(network, socket)
      handshakeDone.set(key, done)
      socket.once('close', () => {
        if (handshakeDone.get(key) === done) handshakeDone.delete(key)
      })
      paced(() => {
        if (!socket.destroyed) secure.emit('connection', socket)
      })
    })
  })
  secure.on('tlsClientError', (error, socket) => {
    log.debug({ ip: socket.remoteAddress, why: error.message }, 'a TLS connection was refused')
  })
  secure.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy()) // a broken line; `close` tells the rest
    const key = keyOf(socket)
    handshakeDone.get(key)?.()
    handshakeDone.delete(key)
    admit(socket)
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
    /** Takes a connection whose client has proven its certificate. */
    admit,
    renew: (next: TlsOptions) => secure.setSecureContext(next),
    /** Resolves when the last socket is closed. */
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const waiting of [silentOnes, shaking, proven]) waiting.close()
      await closed
    },
  }
}

/** Pause between the beginnings of two handshakes, in which other work runs. */
const handshakeEveryMs = 1

/**
 * Does what it is given in its order and at an even pace: a handshake costs a signature at its beginning
 * and keys at its end, and hundreds may come at once.
 */
function createPacer() {
  const waiting: (() => void)[] = []
  const turn = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setTimeout(turn, handshakeEveryMs)
  }
  return (begin: () => void) => {
    waiting.push(begin)
    if (waiting.length === 1) setTimeout(turn, handshakeEveryMs)
  }
}

/** Call `heard` when the first TLS record of a socket is whole; a socket that says anything else is closed. */
function onHello(socket: Socket, heard: () => void) {
  let parts: Buffer[] = []
  let bytes = 0
  const read = () => {
    for (let part = socket.read() as Buffer | null; part; part = socket.read() as Buffer | null) {
      parts.push(part)
      bytes += part.length
    }
    if (bytes < recordHeaderBytes) return
    const said = Buffer.concat(parts, bytes)
    parts = [said]
    const record = said.readUInt16BE(3)
    if (said[0] !== handshakeRecord || record > longestRecord) return void socket.destroy()
    if (bytes < recordHeaderBytes + record) return
    socket.off('readable', read)
    socket.unshift(said)
    heard()
  }
  socket.on('readable', read)
}
