import { type Endpoint, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'

const sub = z.object({ sub: z.string() })

const AccountSession = z.object({
  id: z.string(),
  ipAddress: z.string(),
  userAgent: z.string(),
  started: timestamp,
  lastAccess: timestamp,
  expires: timestamp,
  /** Ids of the OpenID Connect clients that the session was used with. */
  clients: z.array(z.string()),
})

/** Second factor of an account. */
const AccountCredential = z.object({
  id: z.string(),
  type: z.enum(['otp', 'webauthn', 'recovery-authn-codes']),
  userLabel: z.string(),
  createdDate: timestamp,
})

/** Calls about sessions, second factors and the lockout of sign-in of an account. */
export const securityEndpoints = {
  accountSessions: {
    method: 'GET',
    path: '/accounts/:sub/sessions',
    access: 'service',
    params: sub,
    result: z.array(AccountSession),
  },
  endAccountSession: {
    method: 'DELETE',
    path: '/accounts/:sub/sessions/:session',
    access: 'service',
    params: sub.extend({ session: z.string() }),
    result: z.undefined(),
  },
  /**
   * End of the lockout of sign-in after wrong passwords; null when there is none. It does not apply to
   * browsers that signed in before.
   */
  accountLock: {
    method: 'GET',
    path: '/accounts/:sub/lock',
    access: 'service',
    params: sub,
    result: z.object({ lockedUntil: timestamp.nullable() }),
  },
  liftAccountLock: {
    method: 'DELETE',
    path: '/accounts/:sub/lock',
    access: 'service',
    params: sub,
    result: z.undefined(),
  },
  accountCredentials: {
    method: 'GET',
    path: '/accounts/:sub/credentials',
    access: 'service',
    params: sub,
    result: z.array(AccountCredential),
  },
  removeAccountCredential: {
    method: 'DELETE',
    path: '/accounts/:sub/credentials/:credential',
    access: 'service',
    params: sub.extend({ credential: z.string() }),
    /** Session of the person who removes it themselves; absent when an administrator does. */
    query: z.object({ session: z.string().optional() }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
