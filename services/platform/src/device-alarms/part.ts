import { alarmsContract } from '@longreach/alarms/contract'
import { everywhere } from '@longreach/kit/everywhere'
import { definePart } from '@longreach/kit/part'
import { mappingsContract } from '@longreach/mappings/contract'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { mqtt } from '../mqtt/part.ts'
import { values } from '../values/part.ts'
import { createDeviceAlarms } from './device-alarms.ts'

export const deviceAlarms = definePart<PlatformDeps>()({
  name: 'deviceAlarms',
  uses: [devices, mqtt, values],
  state: ({ db, now, log, clients, used }) =>
    createDeviceAlarms({
      db,
      now,
      log,
      alarms: clients.alarms,
      ingest: used.values.ingest,
      lines: used.mqtt,
    }),
  effects: ({ state, used }) => [
    everywhere(alarmsContract.events.commandWaiting, async ({ deviceId }) => {
      const device = used.devices.directory.known(deviceId)
      if (device) await state.sendCommands(device)
    }),
    everywhere(mappingsContract.events.deviceLife, ({ deviceId, state: life }) => {
      if (life === 'purged') state.drop(deviceId)
    }),
  ],
})
