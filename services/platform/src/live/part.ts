import { alarmsContract } from '@longreach/alarms/contract'
import { coreContract } from '@longreach/core/contract'
import { identityContract } from '@longreach/identity/contract'
import { everywhere } from '@longreach/kit/everywhere'
import { definePart } from '@longreach/kit/part'
import { notificationsContract } from '@longreach/notifications/contract'
import type { PlatformDeps } from '../deps.ts'
import { devicesContract } from '../devices/contract.ts'
import { devices } from '../devices/part.ts'
import { lines } from '../lines/part.ts'
import { queries } from '../queries/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { timings } from '../timings/part.ts'
import { answerFrames } from './earlier-frames.ts'
import { startDelayWatch } from './live-delay.ts'
import { createLiveHub } from './live-hub.ts'
import { createTelling } from './live-telling.ts'
import { createWatching } from './live-watching.ts'
import { mountLive } from './live-socket.ts'

export const live = definePart<PlatformDeps>()({
  name: 'live',
  uses: [timings, telemetry, devices, queries, lines],
  state: ({ log, fabric, ownProcess, now, used }) => {
    const hub = createLiveHub(log, used.timings.recheckMs)
    const about = { ...used.devices, fabric, node: ownProcess.number, now }
    const [watching, telling] = [createWatching(about), createTelling(about)]
    const stopFrames = answerFrames(used.devices.directory, { fabric, ownProcess })
    return {
      hub,
      watching,
      close() {
        stopFrames()
        watching.close()
        telling.close()
        hub.close()
      },
    }
  },
  effects: ({ state: { hub, watching }, used }) => [
    everywhere(alarmsContract.events.alarmsChanged, (change) =>
      hub.alarm(change, () => used.devices.directory.get(change.deviceId)),
    ),
    everywhere(notificationsContract.events.inboxChanged, (change) => hub.inbox(change)),
    everywhere(coreContract.events.permissionsChanged, () => hub.recheck()),
    everywhere(devicesContract.events.deviceConnection, ({ deviceId, connected, at }) => {
      watching.moved(deviceId)
      hub.status(deviceId, { connected, at })
    }),
    everywhere(devicesContract.events.configurationStatus, ({ deviceId, applied }) =>
      hub.status(deviceId, { configurationApplied: applied }),
    ),
    everywhere(identityContract.events.sessionEnded, ({ session }) => hub.sessionEnded(session)),
  ],
  start: ({ state: { hub, watching }, used, fabric, ownProcess, log }) =>
    startDelayWatch({
      fabric,
      ownProcess,
      hub,
      watching,
      directory: used.devices.directory,
      telemetry: used.telemetry.open,
      log,
    }),
  mount: (app, { state: { hub, watching }, used, ...deps }) => {
    const { directory } = used.devices
    mountLive(app, deps, { hub, watching, directory, telemetry: used.telemetry.open })
  },
})
