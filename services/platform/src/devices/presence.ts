import { publish } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import { platformContract } from '../contract.ts'
import {
  type Change,
  connectedDevices,
  lastSeen,
  markSeen,
  type PlatformDb,
  setConnected,
} from './device-state-store.ts'

type Options = {
  db: Kysely<PlatformDb>
  now: () => Date
  log: FastifyBaseLogger
  graceMs: number
  /** Told after it is written down. */
  onChange: (change: Change) => void
}

/** Longer than a restart takes, and than the minute between two marks. */
const longAwayMs = 180_000
const atOnce = 200

/**
 * Connected devices. A device that changes its configuration disconnects for a second, so a loss counts
 * only after the grace time; the stored time is that of the loss.
 */
export function createPresence({ db, now, log, graceMs, onChange }: Options) {
  const lines = new Map<string, number>()
  const leaving = new Map<string, NodeJS.Timeout>()
  const changes = changeWriter({ db, log, onChange })
  const leaveAfter = (deviceId: string, ms: number, at: Date) => {
    clearTimeout(leaving.get(deviceId))
    const gone = () => {
      leaving.delete(deviceId)
      changes.record({ deviceId, connected: false, at })
    }
    leaving.set(deviceId, setTimeout(gone, ms).unref())
  }

  return {
    came(deviceId: string, ip: string) {
      clearTimeout(leaving.get(deviceId))
      leaving.delete(deviceId)
      lines.set(deviceId, (lines.get(deviceId) ?? 0) + 1)
      changes.record({ deviceId, connected: true, at: now(), ip })
    },
    went(deviceId: string) {
      const left = (lines.get(deviceId) ?? 1) - 1
      if (left > 0) return void lines.set(deviceId, left)
      lines.delete(deviceId)
      leaveAfter(deviceId, graceMs, now())
    },
    /** Takes the state that the MQTT endpoint sees of a device; resolves when it is stored. */
    async agree(deviceId: string, ip: string | undefined) {
      clearTimeout(leaving.get(deviceId))
      leaving.delete(deviceId)
      const connected = ip !== undefined
      changes.record({ deviceId, connected, at: now(), ...(connected && { ip }) })
      await changes.written()
    },
    /**
     * Before anybody may come: after a longer time without a server nobody was connected, since the
     * server was last there.
     */
    async wakeUp() {
      const seen = await lastSeen(db)
      if (seen !== undefined && now().getTime() - seen.getTime() > longAwayMs) {
        for (const deviceId of await connectedDevices(db)) {
          changes.record({ deviceId, connected: false, at: seen })
        }
        await changes.written()
      }
      await markSeen(db, now())
    },
    /** A device that counts as connected: gone, unless it comes soon. */
    expect(deviceId: string) {
      if (!lines.has(deviceId)) leaveAfter(deviceId, graceMs * 3, now())
    },
    /** To be called every minute. */
    stillThere: () => markSeen(db, now()),
    /** Devices that were connected to the process before this one: gone, unless they come back soon. */
    async takeStock() {
      for (const deviceId of await connectedDevices(db)) this.expect(deviceId)
    },
    /** Everything that happened is written down; who has not come back yet stays as he was. */
    async close() {
      for (const timer of leaving.values()) clearTimeout(timer)
      leaving.clear()
      await changes.written()
      await markSeen(db, now()).catch((error: unknown) =>
        log.error({ error }, 'the time until which presence was looked after was not kept'),
      )
    },
  }
}

/** Stores changes in their order, many at once, and reports each that changed something. */
function changeWriter({ db, log, onChange }: Pick<Options, 'db' | 'log' | 'onChange'>) {
  const waiting: Change[] = []
  let writing: Promise<void> | undefined

  const writeSome = async (changes: readonly Change[]) => {
    const told: Change[] = []
    await db.transaction().execute(async (tx) => {
      for (const change of changes) {
        const { deviceId, connected, at } = change
        if (!(await setConnected(tx, change))) continue
        told.push(change)
        const value = { deviceId, connected, at: at.getTime() }
        await publish(tx, platformContract.events.deviceConnection, value)
      }
    })
    for (const change of told) onChange(change)
  }
  const write = async () => {
    while (waiting.length > 0) {
      await writeSome(waiting.splice(0, atOnce)).catch((error: unknown) =>
        log.error({ error }, 'connections could not be written down'),
      )
    }
    writing = undefined
  }

  return {
    record(change: Change) {
      waiting.push(change)
      writing ??= write()
    },
    async written() {
      await writing
    },
  }
}
