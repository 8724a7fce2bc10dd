import { matches, type Subscription } from './mqtt-subscriptions.ts'

export type Message = { topic: string; payload: Uint8Array; qos: 0 | 1 | 2 }
/** A message on its way to a client; `released` when its PUBREC has come and its PUBREL is sent. */
export type Outgoing = Message & {
  messageId: number
  identifiers: number[]
  released: boolean
}

/** Where a session's messages leave; absent while its client is away. */
export type Line = {
  /** How many messages of QoS 1 and 2 the client takes at once. */
  receiveMaximum: number
  /** False when the client reads too slowly: the message is not sent now. */
  ready: () => boolean
  publish: (message: Outgoing, dup: boolean) => void
  release: (messageId: number) => void
}

export type SessionLimits = { queued: number; subscriptions: number }

/** What MQTT keeps of a client between its connections (3.1.1 section 3.1.2.4, 5.0 section 4.1). */
export function createSession(limits: SessionLimits) {
  const subscriptions = new Map<string, Subscription>()
  const inFlight = new Map<number, Outgoing>()
  const queue: Outgoing[] = []
  const received = new Map<number, Promise<void>>()
  let line: Line | undefined
  let nextId = 0

  const freeId = () => {
    do nextId = (nextId % 0xffff) + 1
    while (inFlight.has(nextId))
    return nextId
  }

  const isFree = (to: Line) => inFlight.size < to.receiveMaximum && to.ready()
  const pump = () => {
    for (let to = line; to && queue.length > 0 && isFree(to); to = line) {
      const message = queue.shift()
      if (!message) return
      message.messageId = freeId()
      inFlight.set(message.messageId, message)
      to.publish(message, false)
    }
  }

  return {
    subscriptions,
    /** QoS 2 messages between their PUBLISH and their PUBREL: a repetition waits for the same storing. */
    received,

    /** True when the subscription is new or replaces one; false when there are too many. */
    subscribe(filter: string, subscription: Subscription) {
      if (!subscriptions.has(filter) && subscriptions.size >= limits.subscriptions) return false
      subscriptions.set(filter, subscription)
      return true
    },

    /** Send a message if a subscription asks for it, once, with the highest QoS that was asked. */
    offer(message: Message, own: boolean): boolean {
      const found = asked(subscriptions, message.topic, own)
      if (!found) return false
      const qos = Math.min(found.qos, message.qos) as 0 | 1 | 2 // the smaller of two QoS is one
      const outgoing = { ...message, qos, messageId: 0, identifiers: found.identifiers }
      if (qos === 0) {
        if (!line?.ready()) return false
        line.publish({ ...outgoing, released: false }, false)
        return true
      }
      if (queue.length >= limits.queued) queue.shift()
      queue.push({ ...outgoing, released: false })
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
      inFlight.delete(messageId)
      pump()
    },
    /** PUBREC: the client has it; false when the id is not known. */
    receivedByClient(messageId: number) {
      const message = inFlight.get(messageId)
      if (!message) return false
      message.released = true
      return true
    },
  }
}
export type Session = ReturnType<typeof createSession>

function asked(subscriptions: Session['subscriptions'], topic: string, own: boolean) {
  let found: { qos: number; identifiers: number[] } | undefined
  for (const [filter, { qos, noLocal, identifier }] of subscriptions) {
    if ((own && noLocal) || !matches(filter, topic)) continue
    found ??= { qos: 0, identifiers: [] }
    found.qos = Math.max(found.qos, qos)
    if (identifier !== undefined) found.identifiers.push(identifier)
  }
  return found
}
