import { coreContract } from '@longreach/core/contract'
import { identityContract } from '@longreach/identity/contract'
import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { queries } from '../queries/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { times } from '../times/part.ts'
import { exportsContract } from './contract.ts'
import { readableOf } from './export-devices.ts'
import { exportHandlers } from './export-handlers.ts'
import { exportJob } from './export-job.ts'
import { dropLinksOf } from './export-links.ts'
import { dropExpired, dropFilesOf } from './export-store.ts'

export const exports = definePart<PlatformDeps>()({
  name: 'exports',
  contract: exportsContract,
  uses: [times, telemetry, devices, queries],
  handlers: (deps) => exportHandlers(readableOf(deps.used), deps),
  jobs: [exportJob],
  consumers: () => [
    on(coreContract.events.organizationPurged, async ({ organizations }, tx) => {
      await dropFilesOf(
        tx,
        organizations.map(({ resourceId }) => resourceId),
      )
    }),
    on(identityContract.events.sessionEnded, async ({ session }, tx) => {
      await dropLinksOf(tx, session)
    }),
  ],
  every: { hour: ({ db, now }) => dropExpired(db, now()) },
})
