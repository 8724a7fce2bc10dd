import { definePart } from '@longreach/kit/part'
import { saving } from '../saving/part.ts'
import type { TriggersDeps } from '../deps.ts'
import { runsContract } from './contract.ts'
import { runHandlers } from './run-handlers.ts'
import { cleanupRuns } from './run-store.ts'

/** Runs of triggers with their traces. */
export const runs = definePart<TriggersDeps>()({
  name: 'runs',
  uses: [saving],
  contract: runsContract,
  handlers: runHandlers,
  every: { hour: ({ db, now }) => cleanupRuns(db, now()) },
})
