import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** The caller's own account, as clients in the field read it; times are milliseconds. */
const OwnAccount = z.object({
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  credentials: z.array(
    z.object({ id: z.string(), type: z.string(), userLabel: z.string(), createdDate: z.int() }),
  ),
  sessions: z.array(
    z.object({
      id: z.string(),
      ipAddress: z.string(),
      username: z.string(),
      lastAccess: z.int(),
      start: z.int(),
    }),
  ),
})

const name = z.string().trim().max(255)
const oneOfTheirs = z.object({ id: z.string().min(1).max(200) })

export const accountEndpoints = {
  ownAccount: { method: 'GET', path: '/account', access: 'signed-in', result: OwnAccount },
  updateOwnAccount: {
    method: 'PATCH',
    path: '/account',
    access: 'signed-in',
    inPerson: true,
    body: z.object({ firstName: name.optional(), lastName: name.optional() }),
    result: OwnAccount,
  },
  /** Needs a young sign-in. */
  removeOwnCredential: {
    method: 'DELETE',
    path: '/account/credentials/:id',
    access: 'signed-in',
    inPerson: true,
    params: oneOfTheirs,
    result: z.undefined(),
  },
  endOwnSession: {
    method: 'DELETE',
    path: '/account/sessions/:id',
    access: 'signed-in',
    inPerson: true,
    params: oneOfTheirs,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
