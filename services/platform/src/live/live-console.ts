import type { PlatformDeps } from '../deps.ts'
import type { Device } from '../devices/device.ts'
import { type ConsoleFrame, createConsole } from '../devices/device-console.ts'
import { framesElsewhere } from './earlier-frames.ts'
import type { Watching } from './live-watching.ts'

type Options = {
  deps: PlatformDeps
  watching: Watching
  send: (frame: ConsoleFrame) => void
}

/** Console of a device on a socket: the frames that are kept, here or where the device is connected, then those that come. */
export function openConsole(device: Device, { deps, watching, send }: Options) {
  const held = (device.console ??= createConsole(deps.now().getTime()))
  /** Frames that come before the earlier ones are sent. */
  let waiting: ConsoleFrame[] | undefined = []
  let isOpen = true
  const watcher = (frame: ConsoleFrame) => {
    if (waiting) waiting.push(frame)
    else send(frame)
  }
  held.watchers.add(watcher)
  const leave = watching.begin(device.id, 'console')
  return {
    async sendKept() {
      const kept = [...held.frames, ...(await framesElsewhere(deps, device.id))]
      if (!isOpen) return
      const known = new Set(kept.map(frameText))
      const since = (waiting ?? []).filter((frame) => !known.has(frameText(frame)))
      waiting = undefined
      for (const frame of kept.toSorted((a, b) => a.at - b.at)) send(frame)
      for (const frame of since) send(frame)
    },
    stop() {
      isOpen = false
      held.watchers.delete(watcher)
      leave()
    },
  }
}

/** Text that tells frames apart. */
const frameText = ({ at, direction, topic, head }: ConsoleFrame) =>
  `${at} ${direction} ${topic} ${head}`
