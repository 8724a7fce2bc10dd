import { definePart } from '@longreach/kit/part'
import { agents } from '../agents/part.ts'
import type { PlatformDeps } from '../deps.ts'
import { deviceAlarms } from '../device-alarms/part.ts'
import { devices } from '../devices/part.ts'
import { lines } from '../lines/part.ts'
import { mqtt } from '../mqtt/part.ts'
import { timings } from '../timings/part.ts'
import { values } from '../values/part.ts'
import { controlContract } from './contract.ts'
import { createConfiguring } from './device-configuring.ts'
import { createSequence } from './device-sequence.ts'
import { answerConfigures } from './node-configure.ts'
import { syncHandlers } from './sync-handlers.ts'

export const control = definePart<PlatformDeps>()({
  name: 'control',
  contract: controlContract,
  uses: [timings, devices, lines, mqtt, values, agents, deviceAlarms],
  state: ({ db, now, log, used }) => {
    const { ingest } = used.values
    const configuring = createConfiguring({
      db,
      ingest,
      now,
      log,
      patienceMs: used.timings.patienceMs,
      send: (base, message) => used.mqtt.endpoint?.publish(base, message) ?? 0,
    })
    const sequence = createSequence({
      db,
      ingest,
      configuring,
      agents: used.agents,
      alarms: used.deviceAlarms,
    })
    return { configuring, sequence, close: () => configuring.close() }
  },
  handlers: ({ state, used, ...deps }) =>
    syncHandlers({ ...used.devices, lines: used.lines, configuring: state.configuring }, deps),
  start: ({ state, used, ...deps }) => {
    const stop = answerConfigures(state.configuring, used.devices.directory, deps)
    return { close: async () => stop() }
  },
})
