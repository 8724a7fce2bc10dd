import { setTimeout as wait } from 'node:timers/promises'
import {
  ClosedConnectionError,
  type NatsConnection,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node'
import type { FabricLog } from './fabric-log.ts'
import { NoAnswer, type WireLink } from './fabric-wire.ts'
import { connectToAny } from './nats-connect.ts'
import { keepConnected } from './nats-reconnect.ts'
import { type Session, startSession } from './nats-session.ts'
import type { NatsSettings } from './nats-settings.ts'
import { createSubscriptions } from './nats-subscriptions.ts'

type Options = {
  settings: NatsSettings
  instance: string
  name: WireLink['name']
  log: FabricLog
}

const closingMs = 1_000

/**
 * Connection to NATS that makes itself anew, for ever: with any of the servers, with the same
 * subscriptions. It ends its wait for a server only when it is closed.
 */
export function openLink({ settings, instance, name, log }: Options) {
  const closing = new AbortController()
  const subscriptions = createSubscriptions((err) =>
    log.error({ err, link: name }, 'a subscription at NATS ended'),
  )
  const { promise: tried, resolve: hasTried } = Promise.withResolvers<void>()
  const outage = createOutage(name, log)
  let session: Session | undefined

  const use = async (connection: NatsConnection) => {
    const server = connection.getServer()
    subscriptions.moveTo(connection)
    const hung = () => {
      log.warn({ link: name, server }, 'NATS does not react; the connection is given up')
      void connection.close()
    }
    session = startSession(connection, hung)
    log.info({ link: name, server }, 'connected to NATS')
    outage.end()
    hasTried()
    void logErrors(connection, name, log)
    const why = await connection.closed()
    session = undefined
    if (closing.signal.aborted) return
    log.warn({ link: name, server, err: why }, 'the connection to NATS is interrupted')
  }
  const connectAgain = () => connectToAny({ settings, instance, name, signal: closing.signal })
  const running = keepConnected(connectAgain, use, {
    signal: closing.signal,
    failed(error) {
      outage.add(error)
      hasTried()
    },
  })

  return {
    /** Ends when the first attempt to connect has succeeded or failed. */
    tried,
    server: () => session?.connection.getServer(),
    publish: (subject: string, frame: Uint8Array) => session?.publish(subject, frame) ?? false,
    async request(subject: string, frame: Uint8Array, withinMs: number) {
      if (!session?.takesMore()) throw new NoAnswer(subject, 'away', false)
      try {
        return await session.request(subject, frame, withinMs)
      } catch (error) {
        throw noAnswerOf(subject, error)
      }
    },
    subscribe: subscriptions.add,
    /** Ends when the server has the subscriptions, or the connection is interrupted. */
    async subscribed() {
      if (!session) return
      const { connection } = session
      await Promise.race([connection.flush(), connection.closed()])
    },
    async close() {
      closing.abort()
      const connection = session?.connection
      if (connection) {
        // What was sent last still goes out, unless the server hangs.
        await Promise.race([
          connection.flush().catch(() => undefined),
          wait(closingMs, undefined, { ref: false }),
        ])
        await connection.close()
      }
      await running
    },
  }
}
export type Link = ReturnType<typeof openLink>

function noAnswerOf(subject: string, error: unknown) {
  if (error instanceof TimeoutError) return new NoAnswer(subject, 'late', true)
  if (error instanceof ClosedConnectionError) return new NoAnswer(subject, 'away', true)
  if (!(error instanceof RequestError)) return error
  return error.isNoResponders()
    ? new NoAnswer(subject, 'nobody', false)
    : new NoAnswer(subject, 'away', true)
}

/** Log of what a server refuses, such as a subject for which its user has no right. */
async function logErrors(connection: NatsConnection, link: string, log: FabricLog) {
  for await (const status of connection.status()) {
    if (status.type === 'error') log.error({ err: status.error, link }, 'NATS refused something')
  }
}

/** Log of failed attempts to connect: one entry for each reason until there is a connection. */
function createOutage(link: string, log: FabricLog) {
  const known = new Set<string>()
  return {
    add(error: unknown) {
      const why = error instanceof Error ? error.message : String(error)
      if (known.has(why)) return
      known.add(why)
      log.error(
        { link, why },
        'NATS cannot be reached: calls to other processes fail until it can; trying again',
      )
    },
    end: () => known.clear(),
  }
}
