import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

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
})
export type Account = z.output<typeof Account>

const NewAccount = z.object({
  realm: z.string().min(1),
  username: z.string().min(1).max(255),
  email: z.string().max(255).default(''),
  firstName: z.string().max(255).default(''),
  lastName: z.string().max(255).default(''),
  /** Absent: the person gets a one-time link instead. */
  password: z.string().min(1).max(512).optional(),
  /** For a program: it gets a client with a secret and no password. */
  serviceAccount: z.boolean().default(false),
})

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
      enabled: z.boolean().optional(),
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
  /** A link, good once and for 15 minutes, on which the person sets a new password. */
  oneTimeLink: {
    method: 'POST',
    path: '/accounts/:sub/one-time-link',
    access: 'service',
    params: z.object({ sub: z.string() }),
    body: z.object({}),
    result: z.object({ url: z.string() }),
  },
} as const satisfies Record<string, Endpoint>
