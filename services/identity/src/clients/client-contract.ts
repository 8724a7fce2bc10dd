import { type Endpoint, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'

const ofAccount = z.object({ sub: z.string() })

/** How programs of a service account sign in; the secret is there only when it was made just now. */
const ConfidentialClient = z.object({
  clientId: z.string(),
  clientSecret: z.string().optional(),
  tokenEndpoint: z.string(),
  secretAt: timestamp,
})

export const clientEndpoints = {
  /** The client of a service account, without its secret. */
  client: {
    method: 'GET',
    path: '/accounts/:sub/client',
    access: 'service',
    params: ofAccount,
    result: ConfidentialClient,
  },
  /** A new secret; the old one and every token made with it end. */
  renewClientSecret: {
    method: 'POST',
    path: '/accounts/:sub/client/secret',
    access: 'service',
    params: ofAccount,
    body: z.object({}),
    result: ConfidentialClient,
  },
  /** Let an administration client in, or change its secret; without one, shut it out. */
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
