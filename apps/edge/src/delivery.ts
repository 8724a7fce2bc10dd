import type { Outbox, Taken } from './outbox.ts'

type DeliveryOptions = {
  outbox: Outbox
  /** Rejects when the connection ended before the acknowledgement. */
  publish: (topic: string, payload: Uint8Array) => Promise<void>
  /** Where a model path is sent to; undefined when the configuration has no such path any more. */
  topicOf: (path: string) => string | undefined
  onUnmapped: (path: string) => void
}

/** More would only wait in the socket, and come again after a loss. */
const window = 500

/** Sends what is in the outbox, in order, over one connection. An entry leaves it with the broker's acknowledgement. */
export function createDelivery({ outbox, publish, topicOf, onUnmapped }: DeliveryOptions) {
  let inFlight = 0
  let stopped = false

  async function send(entry: Taken, topic: string) {
    try {
      await publish(topic, entry.payload)
    } catch {
      stopped = true // the connection is gone; its end is handled where it is awaited
    }
    inFlight -= 1
    if (stopped) return
    outbox.acknowledge(entry)
    pump()
  }

  function pump() {
    while (!stopped && inFlight < window) {
      const taken = outbox.take(window - inFlight)
      if (taken.length === 0) return
      for (const entry of taken) {
        const topic = topicOf(entry.path)
        if (topic === undefined) {
          onUnmapped(entry.path)
          outbox.acknowledge(entry)
        } else {
          inFlight += 1
          void send(entry, topic)
        }
      }
    }
  }

  return {
    /** Send what has come into the outbox. */
    pump,
    /** The connection ended: what is not acknowledged goes to the next one. */
    stop() {
      stopped = true
      outbox.takeBack()
    },
  }
}
