import { defineContract } from '@longreach/kit/contract'
import { z } from 'zod'

const deviceId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

export const platformContract = defineContract({
  service: 'platform',
  base: '/svc/platform/api/v1',
  errors: { not_found: 404 },
  endpoints: {},
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
