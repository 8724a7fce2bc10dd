/** News of a device that open pages show at once. */
export type StatusChange = { connected?: boolean; at?: number; configurationApplied?: boolean }
type Listener = (deviceId: string, change: StatusChange) => void

/** Changes of devices' states, for listeners in this process. */
export function createStatuses() {
  const listeners: Listener[] = []
  return {
    listen: (listener: Listener) => void listeners.push(listener),
    tell(deviceId: string, change: StatusChange) {
      for (const listener of listeners) listener(deviceId, change)
    },
  }
}
