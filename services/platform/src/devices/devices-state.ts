import type { PlatformDeps } from '../deps.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import type { ValueListener } from './device.ts'
import { createDirectory, type Directory } from './device-directory.ts'
import { createDeviceLog } from './device-log.ts'
import { addReceived } from './device-state-store.ts'

type Given = { telemetry: OpenTelemetry }
export type DevicesState = ReturnType<typeof createDevices>

/** Devices as this process knows them: facts, connections, log and news of them. */
export function createDevices({ db, clients, now, log }: PlatformDeps, given: Given) {
  const directory = createDirectory({
    mappings: clients.mappings,
    log,
    moved: async (deviceId, from, to) => (await given.telemetry()).move(deviceId, from, to),
  })
  const deviceLog = createDeviceLog({ db, now, log })
  /** Listeners to values of all devices that this process stores. */
  const valueListeners = new Set<ValueListener>()
  const saveReceived = () => saveCounts(db, directory, now)
  return {
    directory,
    deviceLog,
    valueListeners,
    /** Writes down how much came from each device since the last time. */
    saveReceived,
    async close() {
      await deviceLog.close()
      await saveReceived()
    },
  }
}

async function saveCounts(db: PlatformDeps['db'], directory: Directory, now: () => Date) {
  for (const device of directory.all()) {
    const { received } = device
    if (received.messages === 0 && received.refused === 0) continue
    device.received = { messages: 0, bytes: 0, refused: 0 }
    await addReceived(db, device.id, { ...received, at: now() })
  }
}
