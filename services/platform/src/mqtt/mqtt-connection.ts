import mqttPacket, {
  type IConnectPacket,
  type IDisconnectPacket,
  type IPublishPacket,
  type Packet,
} from 'mqtt-packet'
import type { FastifyBaseLogger } from 'fastify'
import type { ClientSocket } from './client-socket.ts'
import { ConnectionIntake } from './connection-intake.ts'
import type { DeviceShare } from './device-share.ts'
import { acknowledge, createAcknowledgements } from './mqtt-acknowledgements.ts'
import type { Opened, Will } from './mqtt-clients.ts'
import { accepted, type Connect, readConnect, refusal } from './mqtt-connect.ts'
import { createFrameReader, createTopicReader, readPublish } from './mqtt-frames.ts'
import type { MqttLimits } from './mqtt-limits.ts'
import { messageBytes } from './mqtt-message.ts'
import { readPacket } from './mqtt-packets.ts'
import { writePublish } from './mqtt-publish.ts'
import { faultReasons, reason, type Reason } from './mqtt-reasons.ts'
import type { Message, Outgoing, Session } from './mqtt-session.ts'
import { isBelow, isTopic } from './mqtt-subscriptions.ts'
import { createPacketDeadline } from './packet-deadline.ts'
import { readMessage } from './read-message.ts'
import { createTopicAliases } from './topic-aliases.ts'
import { subscribe, unsubscribe } from './mqtt-subscribing.ts'

type ConnectionDeps = {
  limits: MqttLimits
  base: string
  /** The memory that the device holds, with all of its connections. */
  share: DeviceShare
  /** Reason of refusal for the holder of this certificate, sent after its CONNECT. */
  refused: Reason | undefined
  open: (connect: Connect, connection: Connection) => Opened
  foreign: (message: Message) => void
  /** A coarse clock in ms, for keep-alive. */
  clock: () => number
  log: FastifyBaseLogger
}

const stored = Promise.resolve()
const pingResponse = Buffer.from([0xd0, 0])

/** One client's socket: MQTT from CONNECT to the end of the line. */
export class Connection {
  readonly ip: string
  readonly #socket: ClientSocket
  readonly #deps: ConnectionDeps
  readonly #readTopic = createTopicReader()
  readonly #topicOf: ReturnType<typeof createTopicAliases>
  readonly #acknowledgements: ReturnType<typeof createAcknowledgements>
  #connect: Connect | undefined
  #opened: Opened | undefined
  #will: Will | undefined
  readonly #intake: ConnectionIntake
  readonly #frames: ReturnType<typeof createFrameReader>
  readonly #late: ReturnType<typeof createPacketDeadline>
  #corked = false

  constructor(socket: ClientSocket, deps: ConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    // An IPv4 address is written as one, also where the socket listens to both kinds.
    this.ip = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
    const { limits, share, clock } = deps
    this.#intake = new ConnectionIntake(socket, { limits, share, clock })
    this.#late = createPacketDeadline(limits)
    this.#topicOf = createTopicAliases(limits.topicAliases)
    this.#acknowledgements = createAcknowledgements({
      send: (bytes) => this.#send(bytes),
      failed: (error) => {
        deps.log.warn({ base: deps.base, error }, 'a message could not be stored')
        this.#intake.failed()
        this.end(reason.serverBusy)
      },
      drained: (count, bytes) => this.#intake.stored(count, bytes),
    })
    this.#frames = createFrameReader({
      onFrame: (bytes, bodyAt) => this.#frame(bytes, bodyAt),
      largest: () => (this.#connect ? limits.packet : limits.connectPacket),
      resize: (bytes) => share.changeUnfinished(bytes),
    })
    socket.on('data', (chunk: Buffer) => {
      this.#intake.heard()
      const fault = this.#frames.read(chunk)
      if (fault) this.end(faultReasons[fault])
    })
    socket.on('drain', () => {
      this.#intake.drained()
      this.#opened?.session.pump()
    })
    socket.on('close', () => {
      this.#intake.close()
      this.#frames.free()
      this.#finish()
    })
  }

  /** Why the connection must end by now; undefined while all is well. */
  fault(now: number): Reason | undefined {
    if (this.#intake.isStuck(now)) return reason.quotaExceeded
    const paused = this.#socket.isPaused()
    if (this.#late(this.#frames.unfinished(), now, paused)) return reason.malformed
    return this.#isSilent(now) ? reason.keepAliveTimeout : undefined
  }

  /** 3.1.1 section 3.1.2.10: nothing came for one and a half times the keep-alive. */
  #isSilent(now: number) {
    const keepAliveS = this.#connect?.keepAliveS ?? 0
    return keepAliveS > 0 && now - this.#intake.heardAt > keepAliveS * 1_500
  }

  /** Closes from this side; an MQTT 5 client gets the reason. Its will is published. */
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
    this.#intake.sent()
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
    if (this.#socket.writableEnded || (this.#opened && this.#frequent(bytes, bodyAt))) return
    const packet = readPacket(bytes, this.#connect?.version)
    if (packet instanceof Error) this.#malformed(packet)
    else if (packet.cmd === 'publish') this.#published(packet, bytes, bodyAt)
    else this.#handle(packet)
  }

  /** A ping, or a PUBLISH without properties, read without the general parser; false when it is neither. */
  #frequent(bytes: Buffer, bodyAt: number) {
    const version = this.#connect?.version ?? 4
    const isPublish = (bytes[0] ?? 0) >> 4 === 3
    const plain = isPublish ? readPublish(bytes, bodyAt, version, this.#readTopic) : undefined
    if (plain && isTopic(plain.topic)) this.#publish(plain, plain.messageId)
    else if (bytes[0] === 0xc0 && bytes.length === 2) this.#send(pingResponse)
    else return false
    return true
  }

  #handle(packet: Packet) {
    if (packet.cmd === 'connect') return this.#open(packet)
    const opened = this.#opened
    if (!opened) return this.end(reason.protocolError)
    if (this.#delivery(packet, opened.session)) return undefined
    const version = this.#connect?.version ?? 4
    switch (packet.cmd) {
      case 'subscribe':
        return this.#write(subscribe(opened.session, this.#deps.base, packet, version))
      case 'unsubscribe':
        return this.#write(unsubscribe(opened.session, packet))
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
      ready: () => !this.#socket.destroyed && this.#deps.share.isRead(),
      publish: (message, dup) => this.#deliver(message, dup),
      release: (messageId) => this.#write({ cmd: 'pubrel', messageId }),
    })
  }

  #deliver(message: Outgoing, dup: boolean) {
    const { version = 4, maximumPacketSize = Infinity } = this.#connect ?? {}
    const bytes = writePublish(message, dup, version, Date.now())
    // MQTT 5 section 3.1.2.11.4: too large for the client counts as delivered.
    if (bytes.length <= maximumPacketSize) this.#send(bytes)
    else if (message.qos > 0) this.#opened?.session.confirmed(message.messageId)
  }

  /** A PUBLISH that the general parser read: with properties, or wrong. */
  #published(packet: IPublishPacket, bytes: Buffer, bodyAt: number) {
    if (!this.#opened) return this.end(reason.protocolError)
    const topic = this.#topicOf(packet.topic, packet.properties?.topicAlias)
    const message = readMessage(packet, topic, { bytes, bodyAt })
    if (typeof message === 'number') return this.end(message)
    return this.#publish(message, packet.messageId ?? 0)
  }

  #publish(message: Message, messageId: number) {
    const opened = this.#opened
    if (!opened) return
    const { topic, qos } = message
    const bytes = messageBytes(message)
    if (topic.length > this.#deps.limits.topic) return this.end(reason.topicInvalid)
    if (!isBelow(this.#deps.base, topic)) {
      this.#deps.foreign(message)
      // Only MQTT 5 has a reason code; before, only an acknowledgement keeps the client from repeating.
      const code = this.#connect?.version === 5 ? reason.notAuthorized : reason.success
      const ack = qos === 0 ? undefined : acknowledge(messageId, qos, code)
      return this.#take(stored, bytes, ack)
    }
    if (qos === 0) return this.#take(opened.publish(message), bytes)
    if (qos === 1) {
      return this.#take(opened.publish(message), bytes, acknowledge(messageId, 1))
    }
    const { received } = opened.session
    let storing = received.get(messageId)
    if (!storing) {
      // QoS 1 is held back by not reading; QoS 2 stays open until its PUBREL, which only the client sends.
      if (received.size >= this.#deps.limits.underWay)
        return this.end(reason.receiveMaximumExceeded)
      storing = opened.publish(message)
      received.set(messageId, storing)
      storing.catch(() => received.delete(messageId)) // `take` ends the connection for it
    }
    this.#take(storing, bytes, acknowledge(messageId, 2))
  }

  #take(durable: Promise<void>, bytes: number, ack?: number) {
    this.#intake.take(bytes)
    this.#acknowledgements.add(durable, bytes, ack)
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
