import { definePartContract, laneOfDevice } from '@longreach/kit/contract'
import { z } from 'zod'
import { pastConnectionEndpoints } from './past-connection-contract.ts'

export const linesContract = definePartContract({
  endpoints: pastConnectionEndpoints,
  events: {
    /** A device that another process is connected to has connected to this one. */
    lineTaken: {
      topic: 'platform.line_taken',
      lane: laneOfDevice,
      payload: z.object({ deviceId: z.string(), clientId: z.string(), epoch: z.int() }),
    },
  },
})
