import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { policyEndpoints } from './policy-contract.ts'

export const policiesContract = definePartContract({
  endpoints: policyEndpoints,
  events: {
    /** The device groups (ids of security policies) that a device is in now, in rising order. */
    deviceGroupsChanged: {
      topic: 'core.device_groups_changed',
      payload: z.object({ deviceId: z.string(), groups: z.array(z.int()) }),
    },
  },
})
