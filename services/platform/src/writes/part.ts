import { definePart } from '@longreach/kit/part'
import { startRounds } from '@longreach/kit/rounds'
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
import { createWriteBacks, giveUpOldBacks } from './write-back.ts'
import { deleteOldRequests } from './write-request-store.ts'

/** Interval in ms at which a process looks for values to be written back. */
const backsMs = 250

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
    const backs = createWriteBacks({ known, deps })
    const rounds = startRounds(backsMs, backs.round, (error) =>
      deps.log.error({ error }, 'values to be written back could not be looked for'),
    )
    return {
      async close() {
        stop()
        await rounds.close()
        await backs.close()
      },
    }
  },
  every: {
    minute: ({ db, now }) => giveUpOldBacks({ db, now }),
    hour: ({ db, now }) => deleteOldRequests(db, now()),
  },
})
