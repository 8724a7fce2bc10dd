import { type Endpoint, timestamp, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

export const impersonationEndpoints = {
  /** A link, good once, on which the caller is signed in as this person for an hour at most. */
  impersonateUser: {
    method: 'POST',
    path: '/organizations/:org/users/:user/impersonation',
    access: 'users:update',
    inPerson: true,
    params: z.object({ org: z.string(), user: rowIdText }),
    result: z.object({ url: z.string(), validUntil: timestamp }),
  },
} as const satisfies Record<string, Endpoint>
