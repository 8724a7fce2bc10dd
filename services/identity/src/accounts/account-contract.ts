import { type Endpoint, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'

/** Actions that Keycloak’s wire names `requiredActions`. */
export const RequiredAction = z.enum(['CONFIGURE_TOTP', 'UPDATE_PASSWORD'])
export type RequiredAction = z.output<typeof RequiredAction>

export const Account = z.object({
  /** Subject (`sub`) of every token of the account. */
  sub: z.uuid(),
  realm: z.string(),
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  enabled: z.boolean(),
  /** Account of a program: it signs in with the secret of its client. */
  serviceAccount: z.boolean().default(false),
  /** The person opened a link that was mailed to the address. */
  emailVerified: z.boolean().default(false),
  /** Steps that the person must do at their next sign-in. */
  requiredActions: z.array(RequiredAction).default([]),
  /** Client of a service account, in answers of `account` and of `updateAccount` with a new secret. */
  client: z
    .object({ clientId: z.string(), tokenEndpoint: z.string(), secretAt: timestamp })
    .optional(),
})
export type Account = z.output<typeof Account>

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

/** Account with what an administrator sees of its security. */
const AccountDetails = Account.extend({
  sessions: z.array(AccountSession),
  /** Second factors. */
  credentials: z.array(AccountCredential),
  /**
   * End of the lockout of sign-in after wrong passwords; null when there is none. It does not apply to
   * browsers that signed in before.
   */
  lockedUntil: timestamp.nullable(),
})

const AccountWithSecret = Account.extend({ clientSecret: z.string().optional() })

/** Hash as the call `passwordHash` answers it. */
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
  /** Absent: the person sets one with a one-time link. */
  password: z.string().min(1).max(512).optional(),
  /** Hash from the call `passwordHash`, in place of a password. */
  passwordHash: PasswordHash.optional(),
  /** The person has already proved that the address is theirs. */
  emailVerified: z.boolean().default(false),
  enabled: z.boolean().default(true),
  requiredActions: z.array(RequiredAction).default([]),
  /** The person must set a new password at the first sign-in. */
  temporaryPassword: z.boolean().default(false),
  /** Account of a program: it gets a client with a secret, and no password. */
  serviceAccount: z.boolean().default(false),
})

/** State of sign-in of an account; service accounts are never `invited`. */
export const SignInState = z.object({
  sub: z.string(),
  /** The account has an authenticator app or a passkey. */
  secondFactor: z.boolean(),
  lastSignIn: timestamp.nullable(),
  /**
   * End of the lockout of sign-in after wrong passwords. It does not apply to browsers that signed in
   * before.
   */
  lockedUntil: timestamp.nullable(),
  /** The person never signed in and has no password of their own yet. */
  invited: z.boolean(),
})
export type SignInState = z.input<typeof SignInState>

/** Calls that create, read, change and delete accounts and realms. */
export const accountEndpoints = {
  /** Create a realm with its keys; an existing realm stays as it is. */
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
    /** Account; for a service account with the secret of its client, which no later call returns. */
    result: AccountWithSecret,
    status: 201,
  },
  account: {
    method: 'GET',
    path: '/accounts/:sub',
    access: 'service',
    params: z.object({ sub: z.string() }),
    result: AccountDetails,
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
      /** False ends every session and token of the account at once. */
      enabled: z.boolean().optional(),
      emailVerified: z.boolean().optional(),
      requiredActions: z.array(RequiredAction).optional(),
      temporaryPassword: z.boolean().optional(),
      /**
       * Replace the secret of a service account's client; the old one and every token made with it
       * become invalid. The answer has the client and the secret.
       */
      renewClientSecret: z.literal(true).optional(),
      /** Id of a session to end. */
      endSession: z.string().optional(),
      /** Second factor to remove. */
      removeCredential: z
        .object({
          id: z.string(),
          /** Session of the person who removes it themselves; absent when an administrator does. */
          session: z.string().optional(),
        })
        .optional(),
      /** End the lockout of sign-in. */
      liftLockout: z.literal(true).optional(),
    }),
    result: AccountWithSecret,
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
  /**
   * Sign-in states of these accounts; unknown accounts are left out. Keycloak answers only the second
   * factor, and only when nothing else is asked for.
   */
  signInStates: {
    method: 'POST',
    path: '/sign-in-states',
    access: 'service',
    body: z.object({
      subs: z.array(z.uuid()).max(1000),
      /** The caller needs no more than the second factor. */
      only: z.literal('secondFactor').optional(),
    }),
    result: z.array(SignInState),
    reads: true,
  },
} as const satisfies Record<string, Endpoint>
