import { type Endpoint, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'

/** In Keycloak's words. */
export const RequiredAction = z.enum(['CONFIGURE_TOTP', 'UPDATE_PASSWORD'])
export type RequiredAction = z.output<typeof RequiredAction>

export const Account = z.object({
  /** Subject of every token of this person. */
  sub: z.uuid(),
  realm: z.string(),
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  enabled: z.boolean(),
  /** A program, not a person: it signs in with its client's secret. */
  serviceAccount: z.boolean().default(false),
  /** The person proved that they read mail at this address. */
  emailVerified: z.boolean().default(false),
  /** What the person must do at their next sign-in. */
  requiredActions: z.array(RequiredAction).default([]),
})
export type Account = z.output<typeof Account>

/** In the form in which `passwordHash` answers them. */
const PasswordHash = z
  .string()
  .max(200)
  .regex(/^\$argon2id\$/)

const NewAccount = z.object({
  realm: z.string().min(1),
  username: z.string().min(1).max(255),
  email: z.string().max(255).default(''),
  firstName: z.string().max(255).default(''),
  lastName: z.string().max(255).default(''),
  /** Absent: the person gets a one-time link instead. */
  password: z.string().min(1).max(512).optional(),
  /** In place of a password: what `passwordHash` answered for it. */
  passwordHash: PasswordHash.optional(),
  /** The person has shown that the address is theirs. */
  emailVerified: z.boolean().default(false),
  enabled: z.boolean().default(true),
  requiredActions: z.array(RequiredAction).default([]),
  /** The person chooses a password of their own at the first sign-in. */
  temporaryPassword: z.boolean().default(false),
  /** For a program: it gets a client with a secret and no password. */
  serviceAccount: z.boolean().default(false),
})

/** How an account signs in; of a service account only whether it is there. */
export const SignInState = z.object({
  sub: z.string(),
  /** It has an authenticator app or a passkey. */
  secondFactor: z.boolean(),
  lastSignIn: timestamp.nullable(),
  /** Wrong passwords keep everybody out until then who did not sign in with the same browser before. */
  lockedUntil: timestamp.nullable(),
  /** The person never signed in and has no password of their own yet. */
  invited: z.boolean(),
})
export type SignInState = z.input<typeof SignInState>

export const accountEndpoints = {
  /** Make a realm with its keys; the same name again changes nothing. */
  createRealm: {
    method: 'POST',
    path: '/realms',
    access: 'service',
    body: z.object({
      name: z.string().regex(/^(?!master$)[a-z0-9][a-z0-9-]{0,62}$/, 'is reserved or malformed'),
      label: z.string().default(''),
    }),
    result: z.object({ name: z.string() }),
  },
  createAccount: {
    method: 'POST',
    path: '/accounts',
    access: 'service',
    body: NewAccount,
    /** With the secret of a service account's client: this once. */
    result: Account.extend({ clientSecret: z.string().optional() }),
    status: 201,
  },
  account: {
    method: 'GET',
    path: '/accounts/:sub',
    access: 'service',
    params: z.object({ sub: z.string() }),
    result: Account,
  },
  updateAccount: {
    method: 'PATCH',
    path: '/accounts/:sub',
    access: 'service',
    params: z.object({ sub: z.string() }),
    body: z.object({
      email: z.string().max(255).optional(),
      firstName: z.string().max(255).optional(),
      lastName: z.string().max(255).optional(),
      password: z.string().min(1).max(512).optional(),
      passwordHash: PasswordHash.optional(),
      /** When it is switched off, every session and token of the account ends at once. */
      enabled: z.boolean().optional(),
      emailVerified: z.boolean().optional(),
      requiredActions: z.array(RequiredAction).optional(),
      temporaryPassword: z.boolean().optional(),
    }),
    result: Account,
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/accounts/:sub',
    access: 'service',
    params: z.object({ sub: z.string() }),
    result: z.undefined(),
  },
  findAccount: {
    method: 'GET',
    path: '/accounts',
    access: 'service',
    query: z.object({ realm: z.string(), username: z.string() }),
    result: z.array(Account),
  },
  /** Those of these accounts that have a second factor: an authenticator app or a passkey. */
  secondFactors: {
    method: 'POST',
    path: '/second-factors',
    access: 'service',
    body: z.object({ subs: z.array(z.uuid()).max(1000) }),
    result: z.array(z.string()),
    reads: true,
  },
  /** How these accounts sign in; of accounts that are elsewhere nothing is known. */
  signInStates: {
    method: 'POST',
    path: '/sign-in-states',
    access: 'service',
    body: z.object({ subs: z.array(z.uuid()).max(1000) }),
    result: z.array(SignInState),
    reads: true,
  },
} as const satisfies Record<string, Endpoint>
