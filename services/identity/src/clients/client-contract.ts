import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** Calls about administration clients. */
export const clientEndpoints = {
  /** Enable an administration client or change its secret; `enabled: false` removes it. */
  administrationClient: {
    method: 'PUT',
    path: '/administration-clients/:client',
    access: 'service',
    params: z.object({ client: z.string() }),
    body: z.object({
      secret: z.string().min(32, 'must have at least 32 characters').max(512).optional(),
      enabled: z.boolean().default(true),
    }),
    result: z.object({ clientId: z.string(), clientSecret: z.string().optional() }),
  },
} as const satisfies Record<string, Endpoint>
