import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { lines } from '../lines/part.ts'
import { mqtt } from '../mqtt/part.ts'
import { releases } from '../releases/part.ts'
import { values } from '../values/part.ts'
import { agentHandlers } from './agent-handlers.ts'
import { createAgentLink } from './agent-link.ts'
import { agentsContract } from './contract.ts'
import { answerCommands, answeredSubject } from './node-command.ts'

export const agents = definePart<PlatformDeps>()({
  name: 'agents',
  contract: agentsContract,
  uses: [releases, devices, lines, mqtt, values],
  state: ({ db, now, fabric, used }) => {
    const link = createAgentLink({
      db,
      ingest: used.values.ingest,
      now,
      send: (base, message) => used.mqtt.endpoint?.publish(base, message) ?? 0,
      tellAnswered: (id) => fabric.tell(answeredSubject, { id }),
    })
    fabric.hear(answeredSubject, ({ id }) => link.wake(id))
    return link
  },
  handlers: ({ used, state, ...deps }) =>
    agentHandlers({ ...used.devices, mqtt: used.mqtt, agents: state }, deps),
  start: ({ used, state, ...deps }) => {
    const stop = answerCommands(state, used.devices.directory, deps)
    return { close: async () => stop() }
  },
})
