import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'

const Passed = z.object({ t: z.number(), at: z.number() }).nullable()

export const pulseContract = definePartContract({
  endpoints: {
    /**
     * Newest beats of the pulse that became a stored value, and that a rule found: when each began, and when it
     * passed, in ms. For the root organization; the whole pulse is in notifications.
     */
    pulseValue: {
      method: 'GET',
      path: '/organizations/:org/pulse',
      access: 'notifications:read',
      params: z.object({ org: z.string() }),
      result: z.object({ value: Passed, rule: Passed }),
    },
  },
})
