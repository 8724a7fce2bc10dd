import { Rehearsed, RehearsedLeaf } from '@longreach/mappings/rehearsed-contract'
import { z } from 'zod'

/** Times in ms since 1970 with their values, oldest first. */
const Samples = z.array(z.tuple([z.number(), z.unknown()])).max(1_000)

/** For mappings: what stored values would have become under another preset. */
export const rehearsalEndpoints = {
  rehearse: {
    method: 'POST',
    path: '/internal/devices/:deviceId/rehearsal',
    access: 'service',
    reads: true,
    params: z.object({ deviceId: z.string().max(100) }),
    body: z.object({
      since: z.number(),
      to: z.number(),
      leaves: z.array(RehearsedLeaf).max(5_000),
      /** Values that are not stored, by a name that stands for a path. */
      given: z.record(z.string(), Samples).optional(),
    }),
    /** Not complete: there were too many values, and the leaves that are not named were left out. */
    result: z.object({ leaves: z.array(Rehearsed), complete: z.boolean() }),
  },
  /** For mappings: other configurations that the device had since then, the newest first. */
  earlierConfigurations: {
    method: 'GET',
    path: '/internal/devices/:deviceId/configurations',
    access: 'service',
    params: z.object({ deviceId: z.string().max(100) }),
    query: z.object({ since: z.coerce.number<number>() }),
    result: z.array(z.string()),
  },
} as const
