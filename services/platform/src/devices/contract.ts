import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { deviceActivityEndpoints } from './device-activity-contract.ts'
import { deviceEndpoints } from './device-contract.ts'
import { deviceFactsEndpoints } from './device-facts-contract.ts'
import { pastConnectionEndpoints } from './past-connection-contract.ts'

const deviceId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

export const devicesContract = definePartContract({
  endpoints: {
    ...deviceActivityEndpoints,
    ...deviceFactsEndpoints,
    ...pastConnectionEndpoints,
    ...deviceEndpoints,
  },
  events: {
    /** A device came or (after the grace time) went. `at` in ms since 1970. */
    deviceConnection: {
      topic: 'platform.device_connection',
      payload: z.object({ deviceId, connected: z.boolean(), at: z.number() }),
    },
    /** A configuration was sent to the device, or the device said which one it applies. */
    configurationStatus: {
      topic: 'platform.configuration_status',
      payload: z.object({
        deviceId,
        sent: z.boolean(),
        applied: z.boolean(),
        error: z.string().nullable(),
        at: z.number(),
      }),
    },
  },
})
