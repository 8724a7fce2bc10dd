import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import { mappingsContract } from '@longreach/mappings/contract'
import { type Kysely, sql } from 'kysely'
import type { TriggersDb } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { saving } from '../saving/part.ts'
import { runsContract } from './contract.ts'
import { runHandlers } from './run-handlers.ts'
import { cleanupRuns } from './run-store.ts'

/** Runs of triggers with their traces; those of a device that is purged go with it. */
export const runs = definePart<TriggersDeps>()({
  name: 'runs',
  contract: runsContract,
  uses: [saving],
  handlers: runHandlers,
  consumers: () => [
    on(mappingsContract.events.deviceLife, async ({ deviceId, state }, tx: Kysely<TriggersDb>) => {
      if (state !== 'purged') return
      for (const table of ['run', 'fired', 'throttle', 'written_path'] as const) {
        await tx.deleteFrom(table).where('device_id', '=', deviceId).execute()
      }
      await sql`delete from triggers.firing where payload->>'deviceId' = ${deviceId}`.execute(tx)
    }),
  ],
  every: { hour: ({ db, now }) => cleanupRuns(db, now()) },
})
