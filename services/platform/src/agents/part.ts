import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { mqtt } from '../mqtt/part.ts'
import { releases } from '../releases/part.ts'
import { values } from '../values/part.ts'
import { agentHandlers } from './agent-handlers.ts'
import { createAgentLink } from './agent-link.ts'
import { agentsContract } from './contract.ts'

export const agents = definePart<PlatformDeps>()({
  name: 'agents',
  contract: agentsContract,
  uses: [releases, devices, mqtt, values],
  state: ({ db, now, used }) =>
    createAgentLink({
      db,
      ingest: used.values.ingest,
      now,
      send: (base, message) => used.mqtt.endpoint?.publish(base, message) ?? 0,
    }),
  handlers: ({ used, state, ...deps }) =>
    agentHandlers({ ...used.devices, mqtt: used.mqtt, agents: state }, deps),
})
