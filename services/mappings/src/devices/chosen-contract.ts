import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'
import { DeviceQuestion } from '../search/search-contract.ts'

/** For services that do something with the devices that a person's search finds. */
export const chosenEndpoints = {
  /** Ids by name of what the person may read: as if they asked themselves, with the rights they have now. */
  devicesChosen: {
    method: 'POST',
    path: '/internal/devices/chosen',
    reads: true,
    access: 'service',
    body: z.object({
      /** The person as a caller of the server. */
      caller: z.looseObject({
        kind: z.enum(['nobody', 'user', 'service', 'device']),
        sub: z.string(),
      }),
      organization: z.string(),
      /** With all organizations below. */
      subtree: z.boolean(),
      question: DeviceQuestion,
      /** Of all that match, not these. */
      except: z.array(z.string().max(100)).max(10_000).default([]),
    }),
    result: z.object({ ids: z.array(z.string()) }),
  },
} as const satisfies Record<string, Endpoint>
