import type { FastifyBaseLogger } from 'fastify'

/** What a live socket can be told from outside. */
export type LiveClient = {
  /** Look at rights and token again; subscriptions without a right end. */
  recheck: () => Promise<void>
  recheckDevice: (deviceId: string) => Promise<void>
  status: (deviceId: string, change: StatusChange) => void
  end: () => void
}
export type StatusChange = { connected?: boolean; at?: number; configurationApplied?: boolean }

/** Every live socket of this process. */
export function createLiveHub(log: FastifyBaseLogger, recheckMs: number) {
  const clients = new Set<LiveClient>()
  const each = (what: (client: LiveClient) => Promise<void>) => {
    for (const client of clients) {
      what(client).catch((error: unknown) => {
        // Rights that cannot be looked up are no rights.
        log.error(error, 'the rights of a live socket could not be looked up')
        client.end()
      })
    }
  }
  const timer = setInterval(() => each((client) => client.recheck()), recheckMs)
  timer.unref()
  return {
    add: (client: LiveClient) => clients.add(client),
    remove: (client: LiveClient) => clients.delete(client),
    get size() {
      return clients.size
    },
    recheck: () => each((client) => client.recheck()),
    recheckDevice: (deviceId: string) => each((client) => client.recheckDevice(deviceId)),
    status(deviceId: string, change: StatusChange) {
      for (const client of clients) client.status(deviceId, change)
    },
    close() {
      clearInterval(timer)
      for (const client of clients) client.end()
    },
  }
}
export type LiveHub = ReturnType<typeof createLiveHub>
