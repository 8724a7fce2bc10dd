import { type Endpoint, timestamp, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

const PersonSession = z.object({
  id: z.string(),
  ipAddress: z.string(),
  userAgent: z.string(),
  started: timestamp,
  lastAccess: timestamp,
})

const SecondFactor = z.object({
  id: z.string(),
  type: z.enum(['otp', 'webauthn', 'recovery-authn-codes']),
  userLabel: z.string(),
  createdDate: timestamp,
})

const ofPerson = z.object({
  org: z.string(),
  user: rowIdText,
})

/** Endpoints about the sign-in of a person, for administrators. */
export const securityEndpoints = {
  userSecurity: {
    method: 'GET',
    path: '/organizations/:org/users/:user/security',
    access: 'users:update',
    params: ofPerson,
    result: z.object({
      emailVerified: z.boolean(),
      /** Wrong passwords keep everybody out until then who did not sign in with the same browser before. */
      lockedUntil: timestamp.nullable(),
      requiredActions: z.array(z.string()),
      sessions: z.array(PersonSession),
      credentials: z.array(SecondFactor),
    }),
  },
  /** End one session of the person, or with `all` each of them. */
  endUserSession: {
    method: 'DELETE',
    path: '/organizations/:org/users/:user/sessions/:session',
    access: 'users:update',
    inPerson: true,
    params: ofPerson.extend({ session: z.string().max(200) }),
    result: z.undefined(),
  },
  /** Let the person sign in again before the lock of wrong passwords ends. */
  liftUserLock: {
    method: 'DELETE',
    path: '/organizations/:org/users/:user/lock',
    access: 'users:update',
    inPerson: true,
    params: ofPerson,
    result: z.undefined(),
  },
  /** Take a second factor away, for somebody who lost it. */
  removeUserCredential: {
    method: 'DELETE',
    path: '/organizations/:org/users/:user/credentials/:credential',
    access: 'users:update',
    inPerson: true,
    params: ofPerson.extend({ credential: z.string().max(200) }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
