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
  /** The programs that it was used with. */
  clients: z.array(z.string()),
})

/** A second factor. */
const AccountCredential = z.object({
  id: z.string(),
  type: z.enum(['otp', 'webauthn', 'recovery-authn-codes']),
  userLabel: z.string(),
  createdDate: timestamp,
})

/** Sessions, second factors and the lock of an account. */
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
  /** Until when wrong passwords keep everybody out who did not sign in there before. */
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
    /** The session in which people remove it themselves; absent: an administrator does. */
    query: z.object({ session: z.string().optional() }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
