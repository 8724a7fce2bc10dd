import type { FastifyBaseLogger } from 'fastify'
import type { Device } from '../devices/device.ts'
import type { AlarmChange } from './live-alarms.ts'
import type { InboxChange } from './live-inbox.ts'

/** News of a device that open pages show at once. */
export type StatusChange = { connected?: boolean; at?: number; configurationApplied?: boolean }

/** Live socket as the rest of the process sees it. */
export type LiveClient = {
  /** Checks rights and token again; subscriptions without a right end. */
  recheck: () => Promise<void>
  recheckDevice: (deviceId: string) => Promise<void>
  /** Close when the session behind the token is over: this one, or as the token says. */
  checkSession: (ended?: string) => Promise<void>
  status: (deviceId: string, change: StatusChange) => void
  /** True while it has a subscription of alarms. */
  hearsAlarms: () => boolean
  alarm: (device: Device, change: AlarmChange) => void
  /** Tells a change of somebody's inbox; only its owner hears it. */
  inbox: (change: InboxChange) => void
  /** Says whether values of other processes are delayed. */
  delay: (isDelayed: boolean) => void
  end: () => void
}

/** Interval at which sessions are checked without an event: another process may have got it. */
const sessionsMs = 4_000

/** Every live socket of this process. */
export function createLiveHub(log: FastifyBaseLogger, recheckMs: number) {
  const clients = new Set<LiveClient>()
  let isDelayed = false
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
  const sessions = setInterval(() => each((client) => client.checkSession()), sessionsMs)
  sessions.unref()
  return {
    add: (client: LiveClient) => clients.add(client),
    remove: (client: LiveClient) => clients.delete(client),
    get size() {
      return clients.size
    },
    get isDelayed() {
      return isDelayed
    },
    delay(now: boolean) {
      isDelayed = now
      for (const client of clients) client.delay(now)
    },
    sessionEnded: (session: string) => each((client) => client.checkSession(session)),
    recheck: () => each((client) => client.recheck()),
    recheckDevice: (deviceId: string) => each((client) => client.recheckDevice(deviceId)),
    status(deviceId: string, change: StatusChange) {
      for (const client of clients) client.status(deviceId, change)
    },
    /** Tells a change of an alarm to those who subscribed; the device is looked up if there are any. */
    async alarm(change: AlarmChange, deviceOf: () => Promise<Device | undefined>) {
      const hearing = [...clients].filter((client) => client.hearsAlarms())
      const device = hearing.length > 0 ? await deviceOf() : undefined
      if (device) for (const client of hearing) client.alarm(device, change)
    },
    inbox(change: InboxChange) {
      for (const client of clients) client.inbox(change)
    },
    close() {
      clearInterval(timer)
      clearInterval(sessions)
      for (const client of clients) client.end()
    },
  }
}
export type LiveHub = ReturnType<typeof createLiveHub>
