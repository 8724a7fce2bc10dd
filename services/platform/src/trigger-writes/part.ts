import { everywhere } from '@longreach/kit/everywhere'
import { definePart } from '@longreach/kit/part'
import { triggersContract } from '@longreach/triggers/contract'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { mqtt } from '../mqtt/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { values } from '../values/part.ts'
import { writes } from '../writes/part.ts'
import { createTriggerWrites } from './trigger-writes.ts'

/** Writes that triggers decide on, by the process that the device is connected to. */
export const triggerWrites = definePart<PlatformDeps>()({
  name: 'triggerWrites',
  uses: [telemetry, devices, mqtt, values, writes],
  state: ({ used, ...deps }) =>
    createTriggerWrites({
      known: {
        ...used.devices,
        mqtt: used.mqtt,
        telemetry: used.telemetry.open,
        ingest: used.values.ingest,
      },
      deps,
      triggers: deps.clients.triggers,
    }),
  effects: ({ state, used }) => [
    everywhere(triggersContract.events.writeWaiting, ({ deviceId }) => {
      const device = used.devices.directory.known(deviceId)
      if (device) state.run(device)
    }),
  ],
})
