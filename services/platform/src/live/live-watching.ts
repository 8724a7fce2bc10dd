import { subjectAt } from '@longreach/kit/fabric-contract'
import type { Fabric } from '@longreach/kit/fabric'
import type { Point } from '@longreach/telemetry/store'
import type { Device } from '../devices/device.ts'
import type { Directory } from '../devices/device-directory.ts'
import { frameSubject, liveSubject, watchSubject } from './live-watch-contract.ts'

type Options = { fabric: Fabric; node: number; directory: Pick<Directory, 'known'> }
type Watched = { values: number; console: number; stop: () => void }

/** Interval at which a process asks again for the devices that its people look at. */
const askEveryMs = 10_000

/**
 * Devices that people of this process look at. Other processes are asked for their values and frames, which
 * go to the listeners of the device here as if they had come to this process.
 */
export function createWatching({ fabric, node, directory }: Options) {
  const watched = new Map<string, Watched>()

  const ask = (deviceId: string) => {
    const { console = 0 } = watched.get(deviceId) ?? {}
    const subject = { ...watchSubject, ...subjectAt(watchSubject, { device: deviceId }) }
    fabric.tell(subject, { node, console: console > 0 })
  }
  const timer = setInterval(() => {
    for (const deviceId of watched.keys()) ask(deviceId)
  }, askEveryMs).unref()

  const hear = (deviceId: string) => {
    const live = { ...liveSubject, ...subjectAt(liveSubject, { device: deviceId }) }
    const frames = { ...frameSubject, ...subjectAt(frameSubject, { device: deviceId }) }
    const stops = [
      fabric.hear(live, ({ node: from, rows }) => {
        const device = directory.known(deviceId)
        if (from === node || !device) return
        for (const [path, t, v, q] of rows) passOn(device, path, { t, v, q })
      }),
      fabric.hear(frames, ({ node: from, frame }) => {
        if (from === node) return
        for (const watcher of directory.known(deviceId)?.console?.watchers ?? []) watcher(frame)
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  return {
    /** Asks for a device until the answer is called. */
    begin(deviceId: string, kind: 'values' | 'console') {
      const held = watched.get(deviceId) ?? { values: 0, console: 0, stop: hear(deviceId) }
      held[kind] += 1
      watched.set(deviceId, held)
      if (held[kind] === 1) ask(deviceId)
      return () => {
        held[kind] -= 1
        if (held.values + held.console > 0) return
        held.stop()
        watched.delete(deviceId)
      }
    },
    /** Ids of the devices that somebody looks at. */
    devices: () => [...watched.keys()],
    /** Asks at once, after the device has connected to another process. */
    moved(deviceId: string) {
      if (watched.has(deviceId)) ask(deviceId)
    },
    close() {
      clearInterval(timer)
      for (const { stop } of watched.values()) stop()
      watched.clear()
    },
  }
}
export type Watching = ReturnType<typeof createWatching>

function passOn(device: Device, path: string, point: Point) {
  const target = device.byPath.get(path)
  if (!target) return
  for (const listener of device.listeners) listener(target, point)
}
