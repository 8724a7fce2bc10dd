import { type Endpoint, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'

/** Call that lets an administrator act as a person. */
export const impersonationEndpoints = {
  /**
   * Link, valid once and for two minutes, that signs a browser in as this person for at most an hour.
   * The caller must have checked the permission of the administrator.
   */
  impersonate: {
    method: 'POST',
    path: '/accounts/:sub/impersonation',
    access: 'service',
    params: z.object({ sub: z.string() }),
    body: z.object({
      by: z.object({ sub: z.string().min(1), username: z.string() }),
      /** The administrator signed in with a second factor. */
      secondFactor: z.boolean().default(false),
    }),
    result: z.object({ url: z.string(), validUntil: timestamp }),
  },
} as const satisfies Record<string, Endpoint>
