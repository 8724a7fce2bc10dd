import type { DeviceShare } from './device-share.ts'
import { messageBytes, copyBytes, isExpired, type Message } from './mqtt-message.ts'
import type { MqttLimits } from './mqtt-limits.ts'
import { createSessionSubscriptions } from './session-subscriptions.ts'

export type { Message } from './mqtt-message.ts'
/** Unacknowledged message to a client; `released` when its PUBREC has come and its PUBREL is sent. */
export type Outgoing = Message & {
  messageId: number
  identifiers: number[]
  released: boolean
}
/** Connection on which a session sends; absent while its client is disconnected. */
type Line = {
  /** Number of QoS 1 and 2 messages that the client takes at once. */
  receiveMaximum: number
  /** False when the client reads too slowly: the message is not sent now. */
  ready: () => boolean
  publish: (message: Outgoing, dup: boolean) => void
  release: (messageId: number) => void
}

/** The messages for a client: those that wait, and those that are sent and not confirmed. */
function createDeliveries(share: DeviceShare) {
  const inFlight = new Map<number, Outgoing>()
  const queue: Outgoing[] = []
  const bytes = { queued: 0, inFlight: 0 }
  let nextId = 0

  const freeId = () => {
    do nextId = (nextId % 0xffff) + 1
    while (inFlight.has(nextId))
    return nextId
  }
  const takeFirst = () => {
    const message = queue.shift()
    if (message) bytes.queued -= messageBytes(message)
    return message
  }
  const confirmed = (messageId: number) => {
    const message = inFlight.get(messageId)
    if (!message) return
    inFlight.delete(messageId)
    bytes.inFlight -= messageBytes(message)
    share.removeQueued(messageBytes(message))
  }
  return {
    inFlight,
    queue,
    bytes,
    confirmed,
    add(message: Outgoing) {
      queue.push(copyBytes(message))
      bytes.queued += messageBytes(message)
    },
    /** The next message to send, with an id; undefined when none waits that is still wanted. */
    next() {
      for (let message = takeFirst(); message; message = takeFirst()) {
        if (!isExpired(message)) {
          message.messageId = freeId()
          inFlight.set(message.messageId, message)
          bytes.inFlight += messageBytes(message)
          return message
        }
        share.removeQueued(messageBytes(message))
      }
      return undefined
    },
    dropOldest() {
      const message = takeFirst()
      if (message) share.removeQueued(messageBytes(message))
      else for (const messageId of inFlight.keys()) return confirmed(messageId)
    },
  }
}

/** Session of a client, which lasts between its connections (MQTT 3.1.1 section 3.1.2.4, 5.0 section 4.1). */
export function createSession(limits: MqttLimits, share: DeviceShare) {
  const subscriptions = createSessionSubscriptions(limits, share)
  const deliveries = createDeliveries(share)
  const { inFlight, queue, bytes, confirmed, dropOldest } = deliveries
  const received = new Map<number, Promise<void>>()
  let line: Line | undefined

  // What a client has been sent stays while it is there to confirm it.
  const own = { queuedBytes: () => bytes.queued + (line ? 0 : bytes.inFlight), dropOldest }
  share.queues.add(own)
  const isFree = (to: Line) => inFlight.size < to.receiveMaximum && to.ready()
  const pump = () => {
    for (let to = line; to && queue.length > 0 && isFree(to); to = line) {
      const message = deliveries.next()
      if (!message) return
      to.publish(message, false)
    }
  }

  return {
    subscriptions,
    /** QoS 2 messages between their PUBLISH and their PUBREL: a repetition waits for the same storing. */
    received,
    /** Sends a message that a subscription matches, once, with the highest QoS of those subscriptions. */
    offer(message: Message, isOwn: boolean): boolean {
      const found = subscriptions.find(message.topic, isOwn)
      if (!found) return false
      const qos = Math.min(found.qos, message.qos) as 0 | 1 | 2 // the smaller of two QoS is one
      const outgoing = {
        ...message,
        qos,
        messageId: 0,
        identifiers: found.identifiers,
        released: false,
      }
      if (qos === 0) {
        if (!line?.ready() || isExpired(message)) return false
        line.publish(outgoing, false)
        return true
      }
      if (queue.length >= limits.queued) dropOldest()
      if (!share.addQueued(messageBytes(outgoing))) return false
      deliveries.add(outgoing)
      pump()
      return true
    },
    /** A client is there (again): what it did not confirm is sent again first (MQTT-4.4.0-1). */
    attach(to: Line) {
      line = to
      for (const message of inFlight.values()) {
        if (message.released) line.release(message.messageId)
        else line.publish(message, true)
      }
      pump()
    },
    detach() {
      line = undefined
    },
    pump,
    /** PUBACK, PUBCOMP or a refusing PUBREC: the message is done. */
    confirmed(messageId: number) {
      confirmed(messageId)
      pump()
    },
    /** PUBREC: the client has it; false when the id is not known. */
    receivedByClient(messageId: number) {
      const message = inFlight.get(messageId)
      if (!message) return false
      message.released = true
      return true
    },
    /** The session ends: its device has the place again. */
    close() {
      line = undefined
      subscriptions.clear()
      while (queue.length > 0 || inFlight.size > 0) dropOldest()
      share.queues.delete(own)
    },
  }
}
export type Session = ReturnType<typeof createSession>
