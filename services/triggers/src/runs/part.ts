import { definePart } from '@longreach/kit/part'
import type { TriggersDeps } from '../deps.ts'
import { runsContract } from './contract.ts'
import { runHandlers } from './run-handlers.ts'
import { cleanupRuns } from './run-store.ts'

/** Runs of triggers with their traces. */
export const runs = definePart<TriggersDeps>()({
  name: 'runs',
  contract: runsContract,
  handlers: runHandlers,
  every: { hour: ({ db, now }) => cleanupRuns(db, now()) },
})
