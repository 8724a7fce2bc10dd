import { definePartContract, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'
import { place } from '../place-contract.ts'

const Retention = z.object({
  /** What holds: own, else of the nearest organization above, else of the product. */
  days: z.int(),
  own: z.int().nullable(),
  /** The organization that `days` comes from; null: the product's own. */
  from: z.string().nullable(),
  least: z.int(),
  most: z.int(),
  /** When the oldest line is from. */
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
    /** How long lines are kept; `null` for as long as above. */
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
