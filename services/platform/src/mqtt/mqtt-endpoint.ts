import { setTimeout as pause } from 'node:timers/promises'
import type { PeerCertificate, TlsOptions } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import { createWorkQueue } from '../devices/work-queue.ts'
import type { ProvenSocket } from './client-socket.ts'
import { DeviceShare } from './device-share.ts'
import { createClients, type MqttIdentity, type NewClient } from './mqtt-clients.ts'
import { Connection } from './mqtt-connection.ts'
import { createListener } from './mqtt-listener.ts'
import { mqttLimits, type MqttLimits } from './mqtt-limits.ts'
import { reason } from './mqtt-reasons.ts'
import type { Message } from './mqtt-session.ts'

export type MqttOptions<I extends MqttIdentity> = {
  /** Key, certificate and the authority that client certificates must come from. */
  tls: TlsOptions
  /** Identity of a certificate that the authority signed; undefined when it is refused. */
  identify: (certificate: PeerCertificate) => Promise<I | undefined>
  /** Asked last, at once before the connection counts as one. */
  isAdmitted?: (identity: I) => boolean
  /** Resolves when the message is durable: only then is it acknowledged. */
  onPublish: (identity: I, message: Message) => Promise<void>
  /** May what a client publishes go to its own subscriptions too? Everything may where this is absent. */
  isRelayed?: (identity: I, topic: string) => boolean
  /** Called for a message on a topic that is not the client's; it is dropped. */
  onForeign: (identity: I, message: Message) => void
  /** Called when a CONNECT is accepted; the answer is called when that connection is gone. */
  onConnect: (identity: I, client: NewClient) => () => void
  limits?: Partial<MqttLimits>
  log: FastifyBaseLogger
}

/**
 * An MQTT 3.1.1 and 5 endpoint over TLS with client certificates. Messages of a device go to
 * `onPublish` and to that device's own subscriptions; retained messages are not kept (MQTT 5
 * clients get a reason code), and there are no shared subscriptions.
 */
export function createMqttEndpoint<I extends MqttIdentity>(options: MqttOptions<I>) {
  const { log, onForeign } = options
  const limits = { ...mqttLimits, ...options.limits }
  /** With the base of their certificates. */
  const connections = new Map<Connection, string>()
  let clock = Date.now()
  const clients = createClients<I>({
    ...options,
    limits,
    onLost: (error) => log.warn({ error }, 'a will could not be stored'),
  })
  const refusalOf = (identity: I | undefined | 'busy') => {
    if (identity === undefined) return reason.notAuthorized
    if (identity === 'busy') return reason.serverBusy
    if (options.isAdmitted?.(identity) === false) return reason.notAuthorized
    const full =
      connections.size >= limits.connections ||
      clients.connected(identity.base).length >= limits.connectionsOfDevice
    return full ? reason.quotaExceeded : undefined
  }

  const lookUp = createLookup({ ...options, limits })

  async function accept(socket: ProvenSocket, signedIn: () => void) {
    const identity = await lookUp(socket)
    if (socket.destroyed) return
    const known = identity as I // never used unless `refused` is undefined
    const base = typeof identity === 'object' ? identity.base : ''
    const share = base === '' ? new DeviceShare(limits) : clients.shareOf(base)
    const connection = new Connection(socket, {
      limits,
      share,
      refused: refusalOf(identity),
      base,
      clock: () => clock,
      log,
      foreign: (message) => onForeign(known, message),
      open: (connect, line) => {
        signedIn()
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
    connections.set(connection, base)
    socket.once('close', () => {
      connections.delete(connection)
      if (base !== '') clients.closed(base)
    })
  }

  const listener = createListener({ tls: options.tls, limits, log, accept })
  const sweep = setInterval(() => {
    clock = Date.now()
    for (const connection of connections.keys()) {
      const fault = connection.fault(clock)
      if (fault !== undefined) connection.end(fault)
    }
  }, 500)

  return {
    /** Listen on `port`, or a free one for 0; the port it is. */
    listen: listener.listen,
    /** Takes a connection whose client has proven its certificate, as those over TLS are taken. */
    admit: listener.admit,
    /** Send to the subscriptions of the device at `base`; how many took it. */
    publish: (base: string, message: Message) => clients.route(base, message),
    isConnected: (base: string) => clients.connected(base).length > 0,
    /** End the connections of devices, also those that have not said CONNECT yet. */
    disconnect: (bases: ReadonlySet<string>) => endAll(connections, (base) => bases.has(base)),
    /** The same for one device, in any realm. */
    disconnectDevice: (id: string) => endAll(connections, (base) => base.split('/')[1] === id),
    /** Another server certificate or authority; connections that exist stay. */
    renew: listener.renew,
    /** Ends all connections; clients that go on at another server are sent there at a pace that it can take. */
    async close({ clientsGoOn = false } = {}) {
      const closed = listener.close()
      await endAtClose([...connections.keys()], clientsGoOn)
      clearInterval(sweep)
      await closed
    },
  }
}

/** Lookup of the device of a connection, few at a time; `busy` where it cannot be made now. */
function createLookup<I extends MqttIdentity>({
  limits,
  identify,
  log,
}: Pick<MqttOptions<I>, 'identify' | 'log'> & { limits: typeof mqttLimits }) {
  const queue = createWorkQueue(limits.lookups)
  return (socket: ProvenSocket) =>
    queue.run(async (waitedMs) => {
      if (socket.destroyed) return undefined
      // Looked up so late, it would be dropped before its CONNECT is answered.
      if (waitedMs > limits.lookupMs) return 'busy' as const
      return identify(socket.getPeerCertificate()).catch((error: unknown) => {
        log.error(error, 'a device could not be looked up')
        return 'busy' as const
      })
    })
}

/** Connections that end in a second; more, when all are to end in time. */
const endedPerSecond = 800
const longestEndS = 25
const stepMs = 50

async function endAtClose(connections: readonly Connection[], clientsGoOn: boolean) {
  if (clientsGoOn) await endEvenly(connections)
  else for (const connection of connections) connection.end(reason.shuttingDown)
}

async function endEvenly(connections: readonly Connection[]) {
  const perSecond = Math.max(endedPerSecond, connections.length / longestEndS)
  const perStep = Math.ceil((perSecond * stepMs) / 1_000)
  for (let from = 0; from < connections.length; from += perStep) {
    if (from > 0) await pause(stepMs)
    const some = connections.slice(from, from + perStep)
    for (const connection of some) connection.end(reason.useAnotherServer)
  }
}

function endAll(connections: ReadonlyMap<Connection, string>, isMeant: (base: string) => boolean) {
  for (const [connection, base] of connections) {
    if (isMeant(base)) connection.end(reason.notAuthorized)
  }
}
export type MqttEndpoint = ReturnType<typeof createMqttEndpoint>
