import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { ms } from '../asked-contract.ts'

/** Newest beat that passed a station: its start and the time at which it passed; null before the first one. */
const Passed = z.object({ t: ms, at: ms }).nullable()

export const pulseContract = definePartContract({
  endpoints: {
    /** Newest beat of the pulse of which an alarm was written. */
    pulseAlarm: {
      method: 'GET',
      path: '/internal/pulse',
      access: 'service',
      result: z.object({ alarm: Passed }),
    },
  },
})
