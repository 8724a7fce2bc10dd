import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { moments } from '../moments/part.ts'
import { pairing } from '../pairing/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { times } from '../times/part.ts'
import { devicesContract } from './contract.ts'
import { deviceActivity } from './device-activity.ts'
import { createDeviceCleanup } from './device-cleanup.ts'
import { deviceFactsHandlers } from './device-facts-handlers.ts'
import { deviceHandlers } from './device-handlers.ts'
import { createDevices } from './devices-state.ts'

export const devices = definePart<PlatformDeps>()({
  name: 'devices',
  contract: devicesContract,
  uses: [moments, times, pairing, telemetry],
  state: ({ used, ...deps }) => ({
    ...createDevices(deps, { telemetry: used.telemetry.open }),
    cleanup: createDeviceCleanup(deps),
  }),
  handlers: (deps) => ({
    ...deviceHandlers(deps.state, deps),
    ...deviceActivity(deps.state, deps),
    ...deviceFactsHandlers(deps.state, deps),
  }),
  every: { hour: ({ state }) => state.cleanup() },
})
