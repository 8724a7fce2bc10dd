import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { moments } from '../moments/part.ts'
import { pairing } from '../pairing/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { times } from '../times/part.ts'
import { devicesContract } from './contract.ts'
import { deviceActivity } from './device-activity.ts'
import { connectionsKeptMs } from './connection-store.ts'
import { createDeviceCleanup } from './device-cleanup.ts'
import { deviceFactsHandlers } from './device-facts-handlers.ts'
import { deviceHandlers } from './device-handlers.ts'
import { logKeptMs } from './device-log-store.ts'
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
  months: [
    {
      table: 'connection_event',
      time: 'at',
      key: ['device_id', 'at', 'connected'],
      keptMs: connectionsKeptMs,
      goes: 'at < $1',
    },
    { table: 'device_log', time: 'at', key: ['id', 'at'], keptMs: logKeptMs, goes: 'at < $1' },
  ],
  every: { hour: ({ state }) => state.cleanup() },
})
