import { contentPage, definePartContract, paging } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, ms, timeText } from '../asked-contract.ts'

const Counter = z.object({
  /** Begin of the minute, hour or day (UTC). */
  time: ms,
  /** Firings, runs, and firings that were throttled. */
  counterIn: z.int(),
  counterOut: z.int(),
  counterThrottled: z.int(),
})

export const countersContract = definePartContract({
  endpoints: {
    /** Counters of a trigger in order of time, only those that are not zero; kept for 90 days. */
    counters: {
      method: 'GET',
      path: '/triggers/:id/counters',
      access: ['triggers:read', 'organizations:read'],
      params: byId,
      query: inOrganization.extend({
        ...paging(100, 10_000),
        /** Without it, 24 hours before `dateTo`. */
        dateFrom: timeText.optional(),
        dateTo: timeText.optional(),
        step: z.enum(['minute', 'hour', 'day']).default('minute'),
      }),
      result: contentPage(Counter),
    },
  },
})
