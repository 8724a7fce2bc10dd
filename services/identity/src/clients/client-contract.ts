import { type Endpoint, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'

const ofAccount = z.object({ sub: z.string() })

/** Client of a service account; `clientSecret` is present only when it was created by this call. */
const ConfidentialClient = z.object({
  clientId: z.string(),
  clientSecret: z.string().optional(),
  tokenEndpoint: z.string(),
  secretAt: timestamp,
})

/** Calls about clients of service accounts and administration clients. */
export const clientEndpoints = {
  /** Client of a service account, without its secret. */
  client: {
    method: 'GET',
    path: '/accounts/:sub/client',
    access: 'service',
    params: ofAccount,
    result: ConfidentialClient,
  },
  /** Replace the secret; the old one and every token made with it become invalid. */
  renewClientSecret: {
    method: 'POST',
    path: '/accounts/:sub/client/secret',
    access: 'service',
    params: ofAccount,
    body: z.object({}),
    result: ConfidentialClient,
  },
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
