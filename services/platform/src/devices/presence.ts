import { publish } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import { platformContract } from '../contract.ts'
import {
  type Change,
  connectedDevices,
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

/**
 * Who is connected. A device that reconfigures itself drops its line for a second, so a lost line
 * counts only after the grace time; the time written down is that of the loss.
 */
export function createPresence({ db, now, log, graceMs, onChange }: Options) {
  const lines = new Map<string, number>()
  const leaving = new Map<string, NodeJS.Timeout>()
  const waiting: Change[] = []
  let writing: Promise<void> | undefined

  const write = async () => {
    for (
      let changes = waiting.splice(0, 200);
      changes.length > 0;
      changes = waiting.splice(0, 200)
    ) {
      const told: Change[] = []
      try {
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
      } catch (error) {
        log.error({ error }, 'connections could not be written down')
      }
    }
    writing = undefined
  }
  const record = (change: Change) => {
    waiting.push(change)
    writing ??= write()
  }

  const leaveAfter = (deviceId: string, ms: number, at: Date) => {
    clearTimeout(leaving.get(deviceId))
    const gone = () => {
      leaving.delete(deviceId)
      record({ deviceId, connected: false, at })
    }
    leaving.set(deviceId, setTimeout(gone, ms).unref())
  }

  return {
    came(deviceId: string, ip: string) {
      clearTimeout(leaving.get(deviceId))
      leaving.delete(deviceId)
      lines.set(deviceId, (lines.get(deviceId) ?? 0) + 1)
      record({ deviceId, connected: true, at: now(), ip })
    },
    went(deviceId: string) {
      const left = (lines.get(deviceId) ?? 1) - 1
      if (left > 0) return void lines.set(deviceId, left)
      lines.delete(deviceId)
      leaveAfter(deviceId, graceMs, now())
    },
    /** What the MQTT endpoint sees of a device counts; resolves when that is written down. */
    async agree(deviceId: string, ip: string | undefined) {
      clearTimeout(leaving.get(deviceId))
      leaving.delete(deviceId)
      const connected = ip !== undefined
      record({ deviceId, connected, at: now(), ...(connected && { ip }) })
      await writing
    },
    /** Devices that were connected to the process before this one: gone, unless they come back soon. */
    async takeStock() {
      for (const deviceId of await connectedDevices(db)) {
        if (!lines.has(deviceId)) leaveAfter(deviceId, graceMs * 3, now())
      }
    },
    /** Everything that happened is written down; who has not come back yet stays as he was. */
    async close() {
      for (const timer of leaving.values()) clearTimeout(timer)
      leaving.clear()
      await writing
    },
  }
}
export type Presence = ReturnType<typeof createPresence>
