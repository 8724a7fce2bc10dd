import { useLiveStatus } from '../../parts/live/live.ts'
import type { Activity, Device } from './device-calls.ts'

/** A device with what the socket knows better than the list. */
export type Row = Device & { since: number | undefined; activity?: Activity | undefined }

const nothingKnown = new Map<string, Activity>()

/** The list's devices with their state of now; nothing moves when a state changes. */
export function useRows(
  devices: readonly Device[],
  activity: ReadonlyMap<string, Activity> = nothingKnown,
): Row[] {
  const statusOf = useLiveStatus()
  return devices.map((device) => {
    const live = statusOf(device.deviceId)
    return {
      ...device,
      connected: live?.connected ?? device.connected,
      configurationApplied: live?.configurationApplied ?? device.configurationApplied,
      // 0 stands for a device that never connected.
      since: live?.at || device.lastConnUpdateAt || undefined,
      activity: activity.get(device.deviceId),
    }
  })
}
