import { randomUUID } from 'node:crypto'
import { DeviceShare } from './device-share.ts'
import type { MqttLimits } from './mqtt-limits.ts'
import { reason, type Reason } from './mqtt-reasons.ts'
import { createSession, type Message, type Session } from './mqtt-session.ts'

/** Identity of a client; it may publish and subscribe at and below `base`, and nowhere else. */
export type MqttIdentity = { base: string }

/** The part of a connection that others end. */
type Line = { ip: string; end: (why: Reason) => void }
/** Client whose CONNECT was accepted, by the id that it gave or was given. */
export type NewClient = Line & { clientId: string }

type Client<I extends MqttIdentity> = {
  identity: I
  key: string
  session: Session
  line?: Line | undefined
  /** Tells that the connection is gone. */
  gone?: () => void
  /** Ends the session, or publishes its will. */
  timers: NodeJS.Timeout[]
  /** Will that is published later, or when the session ends. */
  will?: (() => void) | undefined
}
/** Clients of one device, disconnected ones with a session included, and the memory that they hold. */
type Entry<I extends MqttIdentity> = { clients: Set<Client<I>>; share: DeviceShare }
/** Will of a client; `expiryS` counts from its publication. */
export type Will = { message: Message; delayS: number; expiryS?: number }

/** State of a connection whose CONNECT is accepted. */
export type Opened = {
  clientId: string
  present: boolean
  session: Session
  /** Resolves when the message is durable. */
  publish: (message: Message) => Promise<void>
  left: (expiryS: number, will: Will | undefined) => void
}

type Options<I extends MqttIdentity> = {
  limits: MqttLimits
  /** Resolves when the message is durable: only then is it acknowledged. */
  onPublish: (identity: I, message: Message) => Promise<void>
  /** May what a client publishes go to its own subscriptions too? Everything may where this is absent. */
  isRelayed?: (identity: I, topic: string) => boolean
  /** Called when a CONNECT is accepted; the answer is called when that connection is gone. */
  onConnect: (identity: I, client: NewClient) => () => void
  /** A will could not be stored. */
  onLost: (error: unknown) => void
}

/**
 * Connected clients and waiting sessions. A client id belongs to its certificate: no device can take
 * over another's session by sending its id.
 */
export function createClients<I extends MqttIdentity>(options: Options<I>) {
  const clients = new Map<string, Client<I>>()
  const devices = deviceEntries<I>(options.limits)

  const forget = (client: Client<I> | undefined) => {
    if (!client) return
    for (const timer of client.timers) clearTimeout(timer)
    client.will?.()
    client.session.close()
    if (clients.get(client.key) === client) clients.delete(client.key)
    devices.clientsOf(client.identity.base).delete(client)
    devices.forget(client.identity.base)
  }
  /** Makes room for a session of a device: the one that is disconnected the longest ends. */
  const makePlace = ({ clients: own }: Entry<I>) => {
    if (own.size < options.limits.sessionsOfDevice) return
    forget([...own].find(({ line }) => !line))
  }
  const route = (base: string, message: Message, from?: Client<I>) => {
    let delivered = 0
    for (const client of devices.clientsOf(base)) {
      if (client.session.subscriptions.size === 0) continue
      if (client.session.offer(message, client === from)) delivered += 1
    }
    return delivered
  }
  const publish = (client: Client<I>, message: Message) => {
    const { identity } = client
    const relayed = options.isRelayed?.(identity, message.topic) ?? true
    if (relayed) route(identity.base, message, client)
    return options.onPublish(identity, message)
  }

  return {
    route,
    publish,
    connected: (base: string) => [...devices.clientsOf(base)].filter(({ line }) => line),
    /** The memory that a device holds; it counts while the device has a connection or a session. */
    shareOf: (base: string) => devices.of(base).share,
    /** A connection of the device is gone, whether it had a client or not. */
    closed: devices.forget,

    /** A connection takes its client's place; one that has it already is ended (MQTT-3.1.4-3). */
    open(identity: I, wish: { clientId: string; clean: boolean }, line: Line) {
      const clientId = wish.clientId === '' ? randomUUID() : wish.clientId
      const key = `${identity.base}\n${clientId}`
      clients.get(key)?.line?.end(reason.takenOver)
      const old = clients.get(key)
      if (wish.clean) forget(old)
      const kept = wish.clean ? undefined : old
      for (const timer of kept?.timers ?? []) clearTimeout(timer)
      const entry = devices.of(identity.base)
      if (!kept) makePlace(entry)
      const fresh = () => createSession(options.limits, entry.share)
      const client: Client<I> = kept ?? { identity, key, session: fresh(), timers: [] }
      Object.assign(client, { identity, line, timers: [], will: undefined })
      clients.set(key, client)
      entry.clients.add(client)
      const end = (why: Reason) => line.end(why)
      client.gone = options.onConnect(identity, { ip: line.ip, clientId, end })
      return { client, clientId, present: kept !== undefined }
    },

    /** Ends a connection; the session stays for `expiryS`, the will is published when it is due. */
    left(client: Client<I>, line: Line, expiryS: number, will?: Will) {
      if (client.line !== line) return
      client.line = undefined
      client.session.detach()
      // Among those that are away it is the last to come, and the last to make place.
      const own = devices.clientsOf(client.identity.base)
      if (own.delete(client)) own.add(client)
      if (will) client.will = () => tellWill(client, will)
      if (will && Math.min(will.delayS, expiryS) === 0) client.will?.()
      else if (will) startTimer(client, will.delayS, () => client.will?.())
      if (expiryS === 0) forget(client)
      else startTimer(client, expiryS, () => forget(client))
      client.gone?.()
    },
  }

  function tellWill(client: Client<I>, { message, expiryS }: Will) {
    client.will = undefined
    const expiresAt = expiryS === undefined ? {} : { expiresAt: Date.now() + expiryS * 1_000 }
    void publish(client, { ...message, ...expiresAt }).catch(options.onLost)
  }
}

/** Entries of devices that have a connection or a session. */
function deviceEntries<I extends MqttIdentity>(limits: MqttLimits) {
  const devices = new Map<string, Entry<I>>()
  return {
    of(base: string) {
      const found = devices.get(base)
      if (found) return found
      const entry = { clients: new Set<Client<I>>(), share: new DeviceShare(limits) }
      devices.set(base, entry)
      return entry
    },
    clientsOf: (base: string) => devices.get(base)?.clients ?? new Set<Client<I>>(),
    forget(base: string) {
      const entry = devices.get(base)
      if (entry?.clients.size === 0 && entry.share.readers.size === 0) devices.delete(base)
    },
  }
}

function startTimer(client: { timers: NodeJS.Timeout[] }, seconds: number, what: () => void) {
  // Longer than a timer can wait is longer than any session lives.
  const ms = Math.min(seconds * 1_000, 0x7fffffff)
  client.timers.push(setTimeout(what, ms).unref())
}
