import { definePart } from '@longreach/kit/part'
import { saving } from '../saving/part.ts'
import type { TriggersDeps } from '../deps.ts'
import { countersContract } from './contract.ts'
import { counterHandlers } from './counter-handlers.ts'
import { cleanupCounters } from '../counter-store.ts'

/** Counters of triggers by the minute, kept for 90 days. */
export const counters = definePart<TriggersDeps>()({
  name: 'counters',
  uses: [saving],
  contract: countersContract,
  handlers: counterHandlers,
  every: { hour: ({ db, now }) => cleanupCounters(db, now()) },
})
