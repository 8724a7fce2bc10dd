import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { moments } from '../moments/part.ts'
import { mqtt } from '../mqtt/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { times } from '../times/part.ts'
import { values } from '../values/part.ts'
import { writesContract } from './contract.ts'
import { tagChangeHandlers } from './tag-change-handlers.ts'
import { writeRequestHandlers } from './write-request-handlers.ts'
import { deleteOldRequests } from './write-request-store.ts'

export const writes = definePart<PlatformDeps>()({
  name: 'writes',
  contract: writesContract,
  uses: [moments, times, telemetry, devices, mqtt, values],
  handlers: ({ used, ...deps }) => {
    const { ingest } = used.values
    const known = { ...used.devices, mqtt: used.mqtt, telemetry: used.telemetry.open, ingest }
    return { ...tagChangeHandlers(known, deps), ...writeRequestHandlers(known, deps) }
  },
  every: { hour: ({ db, now }) => deleteOldRequests(db, now()) },
})
