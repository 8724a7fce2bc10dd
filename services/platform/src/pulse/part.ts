import { failure } from '@longreach/kit/errors'
import { definePart } from '@longreach/kit/part'
import { platformContract } from '../contract.ts'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { passedStations } from '../rules/pulse-station.ts'
import { rules } from '../rules/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { values } from '../values/part.ts'
import { createPulse } from './beating.ts'
import { pulseContract } from './contract.ts'

/** Beginning of the pulse: a value each minute, which goes the way of every value. */
export const pulse = definePart<PlatformDeps>()({
  name: 'pulse',
  contract: pulseContract,
  uses: [telemetry, devices, values, rules],
  state: ({ db, now, ownProcess, used }) =>
    createPulse({
      db,
      now,
      leads: () => ownProcess.leads('platform.pulse'),
      ingest: used.values.ingest,
      engine: used.rules.engine,
      store: used.telemetry.open,
    }),
  handlers: ({ db }) => ({
    pulseValue: async (_, { organization }) => {
      if (organization.resourceId.includes('.')) {
        const message =
          'The pulse is shown to the root organization. Switch to it to see its stations.'
        throw failure(platformContract, 'not_found', { message })
      }
      const passed = await passedStations(db)
      return { value: passed.get('value') ?? null, rule: passed.get('rule') ?? null }
    },
  }),
  every: {
    second: ({ state }) => state.beat(),
    hour: ({ state }) => state.cleanup(),
  },
})
