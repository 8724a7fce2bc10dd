import type { Outbox, Taken } from './outbox.ts'

type DeliveryOptions = {
  outbox: Outbox
  /** Rejects when the connection ended before the acknowledgement. */
  publish: (topic: string, payload: Uint8Array) => Promise<void>
  /** Topic of a model path; undefined when the configuration no longer has the path. */
  topicOf: (path: string) => string | undefined
  onUnmapped: (path: string) => void
}

/**
 * Largest number of unacknowledged entries; more would only wait in the socket and be repeated
 * after a loss.
 */
const window = 500

/**
 * Sends the outbox in order over one connection. An entry is removed with the broker's
 * acknowledgement.
 */
export function createDelivery({ outbox, publish, topicOf, onUnmapped }: DeliveryOptions) {
  let inFlight = 0
  let stopped = false

  async function send(entry: Taken, topic: string) {
    try {
      await publish(topic, entry.payload)
    } catch {
      stopped = true // the connection has ended, which is handled where it is awaited
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
    /** Sends new entries of the outbox. */
    pump,
    /** Stops at the end of the connection; unacknowledged entries go to the next one. */
    stop() {
      stopped = true
      outbox.takeBack()
    },
  }
}
