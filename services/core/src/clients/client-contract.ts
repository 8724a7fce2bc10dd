import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

const params = z.object({ org: z.string(), client: z.string().min(1).max(300) })

const ClientSecret = z.object({
  /** Stars, except right after it was made: it is not kept in a form that could be shown. */
  clientSecret: z.string(),
  /** Address at which a program exchanges the secret for a token. */
  tokenEndpoint: z.string(),
})

export const clientEndpoints = {
  /** The client of a service account, `user-service-<user name>`. */
  clientSecret: {
    method: 'GET',
    path: '/organizations/:org/clients/:client/secret',
    access: 'users:read',
    params,
    result: ClientSecret,
  },
  /** A new secret, shown this once. The old one and every token made with it end. */
  renewClientSecret: {
    method: 'POST',
    path: '/organizations/:org/clients/:client/secret',
    access: 'users:update',
    params,
    result: ClientSecret,
  },
} as const satisfies Record<string, Endpoint>
