import { setTimeout as wait } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'

const longestWaitMs = 1_000

type Options = { signal: AbortSignal; failed: (error: unknown) => void }

/**
 * Connection after connection, until the signal: `use` ends when its connection does. The client
 * library's own reconnection is not used: it waits for a server that hangs to take the rest of what was
 * sent, which is for ever.
 */
export async function keepConnected(
  connect: () => Promise<NatsConnection>,
  use: (connection: NatsConnection) => Promise<void>,
  { signal, failed }: Options,
) {
  let failures = 0
  while (!signal.aborted) {
    try {
      const connection = await connect()
      failures = 0
      if (signal.aborted) await connection.close()
      else await use(connection)
    } catch (error) {
      failures += 1
      if (!signal.aborted) failed(error)
    }
    // Not all processes at the same moment, when a server ends.
    const most = Math.min(longestWaitMs, 50 * 2 ** failures)
    await wait(most * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined) // aborted
  }
}
