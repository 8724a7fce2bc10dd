import { subjectAt } from '@longreach/kit/fabric-contract'
import type { Fabric } from '@longreach/kit/fabric'
import type { Point } from '@longreach/telemetry/store'
import type { z } from 'zod'
import type { Device, ValueListener } from '../devices/device.ts'
import { type ConsoleFrame, createConsole } from '../devices/device-console.ts'
import type { Directory } from '../devices/device-directory.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import { frameSubject, liveSubject, watchSubject } from './live-watch-contract.ts'

type Options = Pick<DevicesState, 'valueListeners'> & {
  directory: Pick<Directory, 'known'>
  fabric: Fabric
  node: number
  now: () => Date
}
type Lease = { until: number; unwatch?: () => void }

/** Time for which a request holds; it is repeated three times in it. */
const leaseMs = 30_000
/** Interval of messages of one device: at most twenty in a second. */
const flushMs = 50
/** Rows of one message: with usual paths and values below 64 kB. */
const atOnce = 400

/** Teller of values and frames of devices that people of other processes look at; of other devices nothing. */
export function createTelling({ fabric, node, directory, valueListeners, now }: Options) {
  const leases = new Map<string, Lease>()
  const waiting = new Map<string, Map<string, Point>>()
  let timer: NodeJS.Timeout | undefined
  let flushedAt = 0

  const flush = () => {
    timer = undefined
    flushedAt = performance.now()
    for (const [device, points] of waiting) {
      const subject = { ...liveSubject, ...subjectAt(liveSubject, { device }) }
      const rows = [...points].map(([path, { t, v, q }]) => rowOf(path, t, v, q))
      for (let from = 0; from < rows.length; from += atOnce)
        fabric.tell(subject, { node, rows: rows.slice(from, from + atOnce) })
    }
    waiting.clear()
  }
  const listener: ValueListener = ({ device, leaf, last }, point) => {
    if (!leases.has(device.id) || (last && last.t > point.t)) return
    const points = waiting.get(device.id) ?? new Map<string, Point>()
    waiting.set(device.id, points.set(leaf.path, point))
    // The first value after a pause goes at once.
    timer ??= setTimeout(flush, Math.max(0, flushedAt + flushMs - performance.now()))
  }
  const end = (deviceId: string) => {
    leases.get(deviceId)?.unwatch?.()
    leases.delete(deviceId)
    if (leases.size === 0) valueListeners.delete(listener)
  }
  const sweep = setInterval(() => {
    for (const [deviceId, { until }] of leases) if (until < performance.now()) end(deviceId)
  }, leaseMs / 3).unref()

  /** Passes frames on; a console is made for a device that this process has met. */
  const watchFrames = (device: Device) => {
    const { id } = device
    const subject = { ...frameSubject, ...subjectAt(frameSubject, { device: id }) }
    const watcher = (frame: ConsoleFrame) => fabric.tell(subject, { node, frame: { ...frame } })
    const held = (device.console ??= createConsole(now().getTime()))
    held.watchers.add(watcher)
    return () => void held.watchers.delete(watcher)
  }
  const stop = fabric.hear(watchSubject, ({ node: asker, console }, { device: id = '' }) => {
    if (asker === node) return
    const lease: Lease = leases.get(id) ?? { until: 0 }
    lease.until = performance.now() + leaseMs
    leases.set(id, lease)
    valueListeners.add(listener)
    const device = directory.known(id)
    if (console && device) {
      // A console that nobody used was dropped meanwhile: the watcher goes to the new one.
      lease.unwatch?.()
      lease.unwatch = watchFrames(device)
    }
  })
  return {
    close() {
      stop()
      clearInterval(sweep)
      clearTimeout(timer)
      for (const deviceId of leases.keys()) end(deviceId)
    },
  }
}

/** Row of a message; values are what JSON holds, as they are in the store. */
const rowOf = (path: string, t: number, v: Point['v'], q: number): LiveRow => [
  path,
  t,
  v as LiveRow[2], // the store holds no other values
  q,
]
type LiveRow = z.input<typeof liveSubject.message>['rows'][number]
