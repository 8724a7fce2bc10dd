import { definePart } from '@longreach/kit/part'
import { agents } from '../agents/part.ts'
import { control } from '../control/part.ts'
import type { PlatformDeps } from '../deps.ts'
import { deviceAlarms } from '../device-alarms/part.ts'
import { devices } from '../devices/part.ts'
import { lines } from '../lines/part.ts'
import { live } from '../live/part.ts'
import { mqtt } from '../mqtt/part.ts'
import { organizations } from '../organizations/part.ts'
import { pairing } from '../pairing/part.ts'
import { rules } from '../rules/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { timings } from '../timings/part.ts'
import { values } from '../values/part.ts'
import { writes } from '../writes/part.ts'
import { deviceConsumers } from './device-consumers.ts'
import { deviceEffects } from './device-effects.ts'
import { startMqtt } from './start-mqtt.ts'

export const connections = definePart<PlatformDeps>()({
  name: 'connections',
  uses: [
    timings,
    organizations,
    telemetry,
    pairing,
    devices,
    lines,
    mqtt,
    values,
    rules,
    agents,
    control,
    deviceAlarms,
    writes,
    live,
  ],
  state: ({ used, ownProcess, log }) => {
    let closed: Promise<void> | undefined
    const closeEndpoint = async () => {
      const isAlone = await ownProcess.isAlone('platform').catch((error: unknown) => {
        log.warn({ error }, 'other processes could not be looked up')
        return true
      })
      used.lines.stop({ clientsGoOn: !isAlone })
      await used.mqtt.endpoint?.close({ clientsGoOn: !isAlone })
    }
    return {
      closedOrganizations: used.organizations,
      lines: used.mqtt,
      ownLines: used.lines,
      telemetry: used.telemetry.open,
      hub: used.live.hub,
      ...used.devices,
      graceMs: used.timings.graceMs,
      ...used.values,
      rules: used.rules.engine,
      ...used.control,
      alarms: used.deviceAlarms,
      /** No device is heard any more; closed before the parts that its messages go to. */
      close: () => (closed ??= closeEndpoint()),
    }
  },
  consumers: (deps) => deviceConsumers(deps.state, deps),
  effects: ({ state }) => deviceEffects(state),
  start: async (deps) => {
    await startMqtt(deps, deps.state)
    return { close: () => deps.state.close() }
  },
  every: {
    minute: ({ state: { lines, saveReceived } }) => Promise.all([lines.renew?.(), saveReceived()]),
  },
})
