import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { storageContract } from './contract.ts'
import { startRetention } from './retention-run.ts'
import { dropRules } from './retention-store.ts'
import { storageHandlers } from './storage-handlers.ts'

export const storage = definePart<PlatformDeps>()({
  name: 'storage',
  contract: storageContract,
  uses: [telemetry, devices],
  handlers: ({ db, now, used }) =>
    storageHandlers({
      db,
      telemetry: used.telemetry.open,
      directory: used.devices.directory,
      now,
    }),
  consumers: () => [
    // Values of organizations that will not come back went with their devices.
    on(coreContract.events.organizationPurged, async ({ organizations }, tx) => {
      await dropRules(
        tx,
        organizations.map(({ resourceId }) => resourceId),
      )
    }),
  ],
  start: ({ db, now, log, used }) =>
    startRetention({
      db,
      telemetry: used.telemetry.open,
      directory: used.devices.directory,
      now,
      log,
    }),
})
