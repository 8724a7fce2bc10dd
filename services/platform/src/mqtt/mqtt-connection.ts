import type { TLSSocket } from 'node:tls'
import mqttPacket, {
  type IConnectPacket,
  type IDisconnectPacket,
  type IPublishPacket,
  type Packet,
} from 'mqtt-packet'
import type { FastifyBaseLogger } from 'fastify'
import { acknowledge, createAcknowledgements } from './mqtt-acknowledgements.ts'
import type { Opened, Will } from './mqtt-clients.ts'
import { accepted, type Connect, readConnect, refusal } from './mqtt-connect.ts'
import { createFrameReader, createTopicReader, readPublish } from './mqtt-frames.ts'
import type { MqttLimits } from './mqtt-limits.ts'
import { readPacket } from './mqtt-packets.ts'
import { reason, type Reason } from './mqtt-reasons.ts'
import type { Message, Outgoing, Session } from './mqtt-session.ts'
import { isBelow, isTopic } from './mqtt-subscriptions.ts'
import { subscribe, unsubscribe } from './mqtt-subscribing.ts'

export type ConnectionDeps = {
  limits: MqttLimits
  base: string
  /** Why the holder of this certificate is not let in; it hears so after its CONNECT. */
  refused: Reason | undefined
  open: (connect: Connect, connection: Connection) => Opened
  foreign: (message: Message) => void
  /** A coarse clock in ms, for keep-alive. */
  clock: () => number
  log: FastifyBaseLogger
}

const stored = Promise.resolve()

/** One client's socket: MQTT from CONNECT to the end of the line. */
export class Connection {
  readonly ip: string
  readonly #socket: TLSSocket
  readonly #deps: ConnectionDeps
  readonly #readTopic = createTopicReader()
  #aliases: Map<number, string> | undefined
  readonly #acknowledgements: ReturnType<typeof createAcknowledgements>
  #connect: Connect | undefined
  #opened: Opened | undefined
  #will: Will | undefined
  #heardAt: number
  #underWay = 0
  #underWayBytes = 0
  #corked = false

  constructor(socket: TLSSocket, deps: ConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    // An IPv4 address is told as one, also where the socket listens to both kinds.
    this.ip = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
    this.#heardAt = deps.clock()
    this.#acknowledgements = createAcknowledgements({
      send: (bytes) => this.#send(bytes),
      failed: (error) => {
        deps.log.warn({ base: deps.base, error }, 'a message could not be stored')
        this.end(reason.serverBusy)
      },
      drained: (count, bytes) => this.#drained(count, bytes),
    })
    const { limits } = deps
    const read = createFrameReader(
      (bytes, bodyAt) => this.#frame(bytes, bodyAt),
      () => (this.#connect ? limits.packet : limits.connectPacket),
    )
    socket.on('data', (chunk: Buffer) => {
      this.#heardAt = deps.clock()
      const fault = read(chunk)
      if (fault) this.end(fault === 'too_large' ? reason.packetTooLarge : reason.malformed)
    })
    socket.on('drain', () => this.#opened?.session.pump())
    socket.on('close', () => this.#finish())
  }

  /** 3.1.1 section 3.1.2.10: nothing came for one and a half times the keep-alive. */
  isSilent(now: number) {
    const keepAliveS = this.#connect?.keepAliveS ?? 0
    return keepAliveS > 0 && now - this.#heardAt > keepAliveS * 1_500
  }

  /** Close from this side; an MQTT 5 client hears why. Its will is told. */
  end(why: Reason) {
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    if (this.#connect?.version === 5) this.#write({ cmd: 'disconnect', reasonCode: why })
    this.#finish()
    this.#socket.end()
    // A client that never reads must not keep the socket.
    setTimeout(() => this.#socket.destroy(), 1_000).unref()
  }

  #finish() {
    const opened = this.#opened
    this.#opened = undefined
    if (opened && this.#connect) opened.left(this.#connect.expiryS, this.#will)
  }

  #send(bytes: Buffer) {
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    if (!this.#corked) {
      this.#corked = true
      this.#socket.cork()
      process.nextTick(() => {
        this.#corked = false
        this.#socket.uncork()
      })
    }
    this.#socket.write(bytes)
  }

  #write(packet: Packet) {
    this.#send(mqttPacket.generate(packet, { protocolVersion: this.#connect?.version ?? 4 }))
  }

  #malformed(error: Error) {
    this.#deps.log.debug({ base: this.#deps.base, why: error.message }, 'a malformed MQTT packet')
    if (!this.#connect && /protocol version/i.test(error.message)) {
      this.#send(refusal(4, reason.unsupportedVersion))
    }
    this.end(reason.malformed)
  }

  #frame(bytes: Buffer, bodyAt: number) {
    if (this.#socket.writableEnded) return
    if (this.#opened && (bytes[0] ?? 0) >> 4 === 3) {
      const plain = readPublish(bytes, bodyAt, this.#connect?.version ?? 4, this.#readTopic)
      if (plain && isTopic(plain.topic)) return this.#publish(plain, plain.messageId)
    }
    const packet = readPacket(bytes, this.#connect?.version)
    if (packet instanceof Error) this.#malformed(packet)
    else this.#handle(packet)
  }

  #handle(packet: Packet) {
    if (packet.cmd === 'connect') return this.#open(packet)
    const opened = this.#opened
    if (!opened) return this.end(reason.protocolError)
    if (this.#delivery(packet, opened.session)) return undefined
    const version = this.#connect?.version ?? 4
    switch (packet.cmd) {
      case 'publish':
        return this.#published(packet)
      case 'subscribe':
        return this.#write(subscribe(opened.session, this.#deps.base, packet, version))
      case 'unsubscribe':
        return this.#write(unsubscribe(opened.session, packet))
      case 'pingreq':
        return this.#write({ cmd: 'pingresp' })
      case 'disconnect':
        return this.#disconnect(packet)
      default:
        return this.end(reason.protocolError)
    }
  }

  /** The steps of a delivery, in either direction; false when the packet is none of them. */
  #delivery(packet: Packet, session: Session) {
    const messageId = packet.messageId ?? 0
    switch (packet.cmd) {
      case 'puback':
      case 'pubcomp':
        session.confirmed(messageId)
        return true
      case 'pubrec':
        if ((packet.reasonCode ?? 0) >= 0x80) session.confirmed(messageId)
        else {
          session.receivedByClient(messageId)
          this.#write({ cmd: 'pubrel', messageId })
        }
        return true
      case 'pubrel':
        session.received.delete(messageId)
        this.#write({ cmd: 'pubcomp', messageId })
        return true
      default:
        return false
    }
  }

  #open(packet: IConnectPacket) {
    if (this.#connect) return this.end(reason.protocolError)
    const { base, limits, refused } = this.#deps
    const connect = refused ?? readConnect(packet, base, limits)
    if (typeof connect === 'number') {
      this.#send(refusal(packet.protocolVersion ?? 4, connect))
      return void this.#socket.end()
    }
    this.#connect = connect
    this.#will = connect.will
    const opened = this.#deps.open(connect, this)
    this.#send(accepted(packet, connect, opened, limits))
    this.#opened = opened
    opened.session.attach({
      receiveMaximum: connect.receiveMaximum,
      ready: () => !this.#socket.destroyed && this.#socket.writableLength < limits.unread,
      publish: (message, dup) => this.#deliver(message, dup),
      release: (messageId) => this.#write({ cmd: 'pubrel', messageId }),
    })
  }

  #deliver({ topic, payload, qos, messageId, identifiers }: Outgoing, dup: boolean) {
    const bytes = mqttPacket.generate(
      {
        cmd: 'publish',
        topic,
        payload: Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength),
        qos,
        dup,
        retain: false,
        ...(qos > 0 && { messageId }),
        ...(identifiers.length > 0 && { properties: { subscriptionIdentifier: identifiers } }),
      },
      { protocolVersion: this.#connect?.version ?? 4 },
    )
    // MQTT 5 section 3.1.2.11.4: too large for the client counts as delivered.
    if (bytes.length <= (this.#connect?.maximumPacketSize ?? Infinity)) this.#send(bytes)
    else if (qos > 0) this.#opened?.session.confirmed(messageId)
  }

  /** A PUBLISH that the general parser read: with properties, or wrong. */
  #published({ topic, payload, qos, messageId = 0, properties }: IPublishPacket) {
    const name = this.#topicOf(topic, properties?.topicAlias)
    if (name === undefined) return this.end(reason.topicAliasInvalid)
    if (!isTopic(name)) return this.end(reason.topicInvalid)
    if (qos > 0 && messageId === 0) return this.end(reason.protocolError)
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    return this.#publish({ topic: name, payload: bytes, qos }, messageId)
  }

  /** The topic that is meant, an alias resolved; undefined for an alias out of range. */
  #topicOf(topic: string, alias: number | undefined) {
    if (alias === undefined) return topic
    if (alias === 0 || alias > this.#deps.limits.topicAliases) return undefined
    this.#aliases ??= new Map()
    if (topic !== '') this.#aliases.set(alias, topic)
    return this.#aliases.get(alias) ?? ''
  }

  #publish(message: Message, messageId: number) {
    const opened = this.#opened
    if (!opened) return
    const { topic, payload, qos } = message
    if (!isBelow(this.#deps.base, topic)) {
      this.#deps.foreign(message)
      // Only MQTT 5 can be told; before, an acknowledgement is all that keeps it from repeating.
      const code = this.#connect?.version === 5 ? reason.notAuthorized : reason.success
      const ack = qos === 0 ? undefined : acknowledge(messageId, qos, code)
      return this.#take(stored, payload.length, ack)
    }
    if (qos === 0) return this.#take(opened.publish(message), payload.length)
    if (qos === 1) {
      return this.#take(opened.publish(message), payload.length, acknowledge(messageId, 1))
    }
    const { received } = opened.session
    let storing = received.get(messageId)
    if (!storing) {
      storing = opened.publish(message)
      received.set(messageId, storing)
      storing.catch(() => received.delete(messageId)) // `take` ends the connection for it
    }
    this.#take(storing, payload.length, acknowledge(messageId, 2))
  }

  #take(durable: Promise<void>, bytes: number, ack?: number) {
    const { limits } = this.#deps
    this.#underWay += 1
    this.#underWayBytes += bytes
    this.#acknowledgements.add(durable, bytes, ack)
    if (this.#underWay >= limits.underWay || this.#underWayBytes >= limits.underWayBytes) {
      this.#socket.pause()
    }
  }

  #drained(count: number, bytes: number) {
    const { limits } = this.#deps
    this.#underWay -= count
    this.#underWayBytes -= bytes
    if (
      this.#socket.isPaused() &&
      this.#underWay < limits.underWay / 2 &&
      this.#underWayBytes < limits.underWayBytes / 2
    ) {
      this.#socket.resume()
    }
  }

  #disconnect({ reasonCode = 0, properties }: IDisconnectPacket) {
    if (reasonCode !== reason.disconnectWithWill) this.#will = undefined
    const asked = properties?.sessionExpiryInterval
    if (asked !== undefined && this.#connect) {
      // MQTT 5 section 3.14.2.2.2: a session that was to end with the connection cannot be kept now.
      if (this.#connect.expiryS === 0 && asked > 0) return this.end(reason.protocolError)
      this.#connect.expiryS = Math.min(asked, this.#deps.limits.sessionExpiryS)
    }
    this.#finish()
    this.#socket.end()
  }
}
