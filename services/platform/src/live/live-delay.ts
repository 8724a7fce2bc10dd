import type { Fabric } from '@longreach/kit/fabric'
import { startRounds } from '@longreach/kit/rounds'
import type { OwnProcess } from '@longreach/kit/own-process'
import type { FastifyBaseLogger } from 'fastify'
import type { Target } from '../devices/device.ts'
import type { Directory } from '../devices/device-directory.ts'
import { lastValues } from '../devices/last-values.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import type { LiveHub } from './live-hub.ts'
import type { Watching } from './live-watching.ts'

type Options = {
  fabric: Pick<Fabric, 'isInterrupted'>
  ownProcess: Pick<OwnProcess, 'isAlone'>
  hub: Pick<LiveHub, 'delay'>
  watching: Pick<Watching, 'devices'>
  directory: Pick<Directory, 'known'>
  telemetry: OpenTelemetry
  log: FastifyBaseLogger
}

const lookMs = 1_000
/** Looks between two readings: stored values are read every five seconds. */
const looksToRead = 5

/**
 * Delay of values that other processes receive, while the connection to these is interrupted: the sockets
 * are told, and the newest values of watched devices are read from the store.
 */
export function startDelayWatch(options: Options) {
  const { fabric, ownProcess, hub, log } = options
  let isDelayed = false
  let looks = 0
  /** Times of the values that were passed on during this interruption. */
  let passed = new WeakMap<Target, number>()

  const look = async () => {
    const before = isDelayed
    isDelayed = fabric.isInterrupted() && !(await ownProcess.isAlone('platform'))
    if (isDelayed !== before) {
      hub.delay(isDelayed)
      looks = 0
    }
    // Once more when it is over, for what came in between.
    const isDue = isDelayed ? looks % looksToRead === 0 : before
    looks += 1
    if (isDue) await readWatched(options, passed)
    if (!isDelayed) passed = new WeakMap()
  }
  return startRounds(lookMs, look, (error) =>
    log.error({ error }, 'the delay of live values could not be looked at'),
  )
}

async function readWatched(
  { watching, directory, telemetry }: Options,
  passed: WeakMap<Target, number>,
) {
  const store = await telemetry()
  for (const deviceId of watching.devices()) {
    const device = directory.known(deviceId)
    if (!device) continue
    for (const [target, point] of await lastValues(store, device, [...device.byPath.values()])) {
      if (point.t <= (passed.get(target) ?? -Infinity)) continue
      passed.set(target, point.t)
      for (const listener of device.listeners) listener(target, point)
    }
  }
}
