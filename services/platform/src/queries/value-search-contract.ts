import { type Endpoint, flag } from '@longreach/kit/contract'
import { z } from 'zod'

/** Values found by words of their path, part of the platform contract's endpoints. */
export const valueSearchEndpoints = {
  searchValues: {
    method: 'GET',
    path: '/organizations/:org/values',
    access: 'devices:read',
    params: z.object({ org: z.string() }),
    query: z.object({
      /** Words that the path contains, in any order. */
      search: z.string().trim().min(2).max(200),
      limit: z.coerce.number<number>().int().min(1).max(200).default(50),
      /** With their newest values; for at most 20. */
      newest: flag.default(false),
      /** Only those that the caller may write. */
      writable: flag.default(false),
    }),
    result: z.array(
      z.object({
        deviceId: z.string(),
        deviceLabel: z.string(),
        orgResourceId: z.string(),
        modelPath: z.string(),
        type: z.string(),
        label: z.string().optional(),
        unit: z.string().optional(),
        /** Absent without `newest`, and where there is none. */
        last: z.object({ t: z.number(), v: z.unknown() }).optional(),
      }),
    ),
  },
} as const satisfies Record<string, Endpoint>
