import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'

type Take = (msg: Msg) => void
type Subscribed = { subject: string; take: Take; own?: Subscription | undefined }

/** Subscriptions of a link, which each of its connections gets. `failed` is told of refused ones. */
export function createSubscriptions(failed: (error: Error) => void) {
  const all = new Set<Subscribed>()
  let present: NatsConnection | undefined

  const subscribe = (connection: NatsConnection, subscribed: Subscribed) => {
    subscribed.own = connection.subscribe(subscribed.subject, {
      callback: (error, msg) => (error ? failed(error) : subscribed.take(msg)),
    })
  }
  return {
    /** Gives all subscriptions to a new connection. */
    moveTo(connection: NatsConnection) {
      present = connection
      for (const one of all) subscribe(connection, one)
    },
    add(subject: string, take: Take) {
      const subscribed: Subscribed = { subject, take }
      all.add(subscribed)
      if (present && !present.isClosed()) subscribe(present, subscribed)
      return {
        /** Ends the subscription at once. */
        stop() {
          all.delete(subscribed)
          subscribed.own?.unsubscribe()
        },
        /** Ends it when the server sends no more; takes what comes until then. */
        async drain() {
          all.delete(subscribed)
          const { own } = subscribed
          if (!present || present.isClosed() || !own || own.isClosed()) return
          await Promise.race([own.drain(), present.closed()])
        },
      }
    },
  }
}
