import { definePart } from '@longreach/kit/part'
import { agents } from '../agents/part.ts'
import { control } from '../control/part.ts'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { live } from '../live/part.ts'
import { mqtt } from '../mqtt/part.ts'
import { organizations } from '../organizations/part.ts'
import { pairing } from '../pairing/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { values } from '../values/part.ts'
import { writes } from '../writes/part.ts'
import { deviceConsumers } from './device-consumers.ts'
import { deviceEffects } from './device-effects.ts'
import { startMqtt } from './start-mqtt.ts'

export const connections = definePart<PlatformDeps>()({
  name: 'connections',
  uses: [organizations, telemetry, pairing, devices, mqtt, values, agents, control, writes, live],
  state: ({ used }) => {
    let closed: Promise<void> | undefined
    const closeEndpoint = async () => used.mqtt.endpoint?.close()
    return {
      closedOrganizations: used.organizations,
      lines: used.mqtt,
      telemetry: used.telemetry.open,
      hub: used.live,
      ...used.devices,
      ...used.values,
      ...used.control,
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
    minute: ({ state: { lines, saveReceived, presence } }) =>
      Promise.all([lines.renew?.(), saveReceived(), presence.stillThere()]),
  },
})
