import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'
import { deviceId } from '../search/device-fields-contract.ts'

/** Calls of triggers, which have checked the rights of their owner. */
export const triggerEndpoints = {
  /** Sets an attribute of a device in an organization; 404 for one that is not there. */
  setTriggerAttribute: {
    method: 'PUT',
    path: '/internal/devices/:deviceId/attribute',
    access: 'service',
    params: z.object({ deviceId }),
    body: z.object({
      organization: z.string(),
      key: z.string().min(1).max(200),
      value: z.union([z.number(), z.string().max(10_000), z.boolean(), z.null()]),
    }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
