import { definePartContract, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'
import { place } from '../place-contract.ts'

const Retention = z.object({
  /** Days that apply: the own choice, else of the nearest organization above, else of the product. */
  days: z.int(),
  own: z.int().nullable(),
  /** Organization that chose `days`; null for the default of the product. */
  from: z.string().nullable(),
  least: z.int(),
  most: z.int(),
  /** Time of the oldest entry. */
  oldest: timestamp.nullable(),
})

export const retentionContract = definePartContract({
  endpoints: {
    retention: {
      method: 'GET',
      path: '/retention',
      access: 'audit:access',
      query: place,
      result: Retention,
    },
    /** Days that entries are kept; `null` to inherit from above. */
    setRetention: {
      method: 'PUT',
      path: '/retention',
      access: 'organizations:update',
      query: place,
      body: z.object({ days: z.int().min(30).max(3650).nullable() }),
      result: Retention,
    },
  },
})
