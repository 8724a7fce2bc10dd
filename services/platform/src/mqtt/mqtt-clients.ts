import { randomUUID } from 'node:crypto'
import type { MqttLimits } from './mqtt-limits.ts'
import { reason, type Reason } from './mqtt-reasons.ts'
import { createSession, type Message, type Session } from './mqtt-session.ts'

/** Who a client is; it may publish and subscribe at and below `base`, and nowhere else. */
export type MqttIdentity = { base: string }

/** The part of a connection that others end. */
export type Line = { ip: string; end: (why: Reason) => void }

export type Client<I extends MqttIdentity> = {
  identity: I
  key: string
  session: Session
  line?: Line | undefined
  /** Ends the session, or tells its will. */
  timers: NodeJS.Timeout[]
}
export type Will = { message: Message; delayS: number }

/** What a connection has once its CONNECT is accepted. */
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
  onConnect: (identity: I, client: { ip: string; clientId: string }) => void
  onDisconnect: (identity: I) => void
  /** A will could not be stored. */
  onLost: (error: unknown) => void
}

/**
 * Who is connected and which sessions wait. A client id belongs to its certificate: no device can
 * take over another's session by naming its id.
 */
export function createClients<I extends MqttIdentity>(options: Options<I>) {
  const clients = new Map<string, Client<I>>()
  const byBase = new Map<string, Set<Client<I>>>()

  const forget = (client: Client<I> | undefined) => {
    if (!client) return
    for (const timer of client.timers) clearTimeout(timer)
    if (clients.get(client.key) === client) clients.delete(client.key)
    const set = byBase.get(client.identity.base)
    set?.delete(client)
    if (set?.size === 0) byBase.delete(client.identity.base)
  }

  const route = (base: string, message: Message, from?: Client<I>) => {
    let delivered = 0
    for (const client of byBase.get(base) ?? []) {
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
    connected: (base: string) => [...(byBase.get(base) ?? [])].filter(({ line }) => line),

    /** A connection takes its client's place; one that has it already is ended (MQTT-3.1.4-3). */
    open(identity: I, wish: { clientId: string; clean: boolean }, line: Line) {
      const clientId = wish.clientId === '' ? randomUUID() : wish.clientId
      const key = `${identity.base}\n${clientId}`
      clients.get(key)?.line?.end(reason.takenOver)
      const old = clients.get(key)
      if (wish.clean) forget(old)
      const kept = wish.clean ? undefined : old
      for (const timer of kept?.timers ?? []) clearTimeout(timer)
      const client: Client<I> = kept ?? {
        identity,
        key,
        session: createSession(options.limits),
        timers: [],
      }
      client.identity = identity
      client.line = line
      client.timers = []
      clients.set(key, client)
      byBase.set(identity.base, (byBase.get(identity.base) ?? new Set()).add(client))
      options.onConnect(identity, { ip: line.ip, clientId })
      return { client, clientId, present: kept !== undefined }
    },

    /** The connection is gone; the session stays for `expiryS`, the will is told when it is due. */
    left(client: Client<I>, line: Line, expiryS: number, will?: Will) {
      if (client.line !== line) return
      client.line = undefined
      client.session.detach()
      const later = (seconds: number, what: () => void) => {
        if (seconds === 0) what()
        else client.timers.push(setTimeout(what, seconds * 1_000).unref())
      }
      if (will) {
        const tell = () => void publish(client, will.message).catch(options.onLost)
        later(Math.min(will.delayS, expiryS), tell)
      }
      later(expiryS, () => forget(client))
      options.onDisconnect(client.identity)
    },
  }
}
export type Clients<I extends MqttIdentity> = ReturnType<typeof createClients<I>>
