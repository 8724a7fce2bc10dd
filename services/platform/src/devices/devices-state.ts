import type { PlatformDeps } from '../deps.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import type { Device, DurableListener, ValueListener } from './device.ts'
import { createDirectory } from './device-directory.ts'
import { createDeviceLog } from './device-log.ts'
import { createReceivedCounts } from './received-counts.ts'

type Given = { telemetry: OpenTelemetry }
export type DevicesState = ReturnType<typeof createDevices>

/** Devices as this process knows them: facts, connections, log and news of them. */
export function createDevices(deps: PlatformDeps, given: Given) {
  const { db, clients, now, log } = deps
  /** Told of each device whose facts were read again. */
  const readListeners = new Set<(device: Device) => void>()
  const directory = createDirectory({
    read: (device) => {
      for (const listener of readListeners) listener(device)
    },
    mappings: clients.mappings,
    log,
    moved: async (deviceId, from, to) => (await given.telemetry()).move(deviceId, from, to),
  })
  const deviceLog = createDeviceLog({ db, now, log })
  /** Listeners to values of all devices that this process stores. */
  const valueListeners = new Set<ValueListener>()
  /** Listeners to all values of a flush at once, once they are durable. */
  const durableListeners = new Set<DurableListener>()
  const { number: node } = deps.ownProcess
  const counts = createReceivedCounts({ db, node, now, devices: directory })
  return {
    directory,
    deviceLog,
    valueListeners,
    durableListeners,
    readListeners,
    /** Writes down how much came from each device since the last time; called every minute. */
    saveReceived: () => counts.round(),
    async close() {
      await deviceLog.close()
      await counts.save()
    },
  }
}
