import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { lines } from '../lines/part.ts'
import { moments } from '../moments/part.ts'
import { mqtt } from '../mqtt/part.ts'
import { rules } from '../rules/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { times } from '../times/part.ts'
import { values } from '../values/part.ts'
import { writesContract } from './contract.ts'
import type { Known } from './known.ts'
import { answerWrites } from './node-write.ts'
import { tagChangeHandlers } from './tag-change-handlers.ts'
import { writeRequestHandlers } from './write-request-handlers.ts'
import { deleteOldRequests } from './write-request-store.ts'

export const writes = definePart<PlatformDeps>()({
  name: 'writes',
  contract: writesContract,
  uses: [moments, times, telemetry, devices, lines, mqtt, values, rules],
  state: ({ used }): Known => ({
    ...used.devices,
    mqtt: used.mqtt,
    telemetry: used.telemetry.open,
    ingest: used.values.ingest,
  }),
  handlers: ({ state: known, ...deps }) => ({
    ...tagChangeHandlers(known, deps),
    ...writeRequestHandlers(known, deps),
  }),
  start: ({ state: known, ...deps }) => {
    const stop = answerWrites(known, deps)
    return { close: async () => stop() }
  },
  every: { hour: ({ db, now }) => deleteOldRequests(db, now()) },
})
