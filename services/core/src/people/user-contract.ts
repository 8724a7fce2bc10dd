import { contentPage, type Endpoint, flag, paging, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { NewPerson, personal, User, Wish } from '../directory/person-contract.ts'

/** Additional fields of a person in a list, on request with `details`. */
export const PersonDetails = z.object({
  /** INVITED: has never signed in and has no password yet. LOCKED only for who may change people. */
  state: z.enum(['INVITED', 'ACTIVE', 'LOCKED', 'DISABLED']),
  /** For who may read groups: the roles here; `own` ones are held by the person's own group, not only through others. */
  roles: z
    .array(
      z.object({
        id: z.int(),
        name: z.string(),
        label: z.string(),
        owner: z.string(),
        own: z.boolean(),
      }),
    )
    .optional(),
  /** The group that carries the person's own roles. */
  ownGroup: z.int().optional(),
  /** For who may change people; absent where accounts are kept elsewhere. */
  twoFactor: z.boolean().optional(),
  /** ms since 1970; null: never. */
  lastSignIn: z.number().nullable().optional(),
  lockedUntil: z.number().nullable().optional(),
})
export type PersonDetails = z.output<typeof PersonDetails>

/** Delivery of the link to set a password: by mail, or given to the administrator. */
export const Invitation = z.object({
  mailed: z.boolean(),
  /** Good once; only where no mail went out. */
  link: z.string().optional(),
})
export type Invitation = z.output<typeof Invitation>

/** A person who was just made or changed, with what is shown this once. */
const ChangedUser = User.extend({
  invitation: Invitation.optional(),
  /** Client id with which programs of a service account sign in. */
  serviceAccountClient: z.string().optional(),
  serviceAccountSecret: z.string().optional(),
})

const DeepUser = User.extend({ organizations: z.array(z.object({ resourceId: z.string() })) })

export const CreateUser = NewPerson.extend({
  ...Wish.shape,
  serviceAccount: z.boolean().default(false),
  /**
   * The person has an account in the realm already and joins this organization: at once when the
   * caller administers them in another one, else they are invited (202, `{invited: true}`).
   */
  existing: z.boolean().default(false),
  /** The address is known to be the person's. */
  emailVerified: z.boolean().default(false),
  /** The password is to be changed at the first sign-in. */
  temporaryPassword: z.boolean().default(false),
  /** Send, or answer, a link on which the person sets a password. */
  passwordChangeInvitation: z.boolean().default(false),
})
export type CreateUser = z.output<typeof CreateUser>

export const UserChange = z
  .object({
    ...personal,
    /** With `password`: it is to be changed at the next sign-in. */
    temporaryPassword: z.boolean(),
    passwordChangeInvitation: z.boolean(),
    groupPoliciesEnabled: z.boolean(),
    /** `false` ends every session at once. */
    enabled: z.boolean(),
  })
  .partial()
export type UserChange = z.output<typeof UserChange>

export const UserOrder = z.enum(['username', 'email', 'name', 'createdAt'])
export type UserOrder = z.output<typeof UserOrder>
const org = z.object({ org: z.string() })
const inOrg = z.object({ org: z.string(), user: rowIdText })

const found = {
  ...paging(),
  /** Part of the user name, the e-mail address or the person's name. */
  search: z.string().max(255).optional(),
  username: z.string().optional(),
  type: z.enum(['ANY', 'STANDARD', 'SERVICE']).default('ANY'),
  status: z.enum(['ENABLED', 'DISABLED']).optional(),
  orderBy: UserOrder.default('username'),
  orderDir: z.enum(['asc', 'desc', 'ASC', 'DESC']).default('asc'),
}

export const userEndpoints = {
  me: {
    method: 'GET',
    path: '/users/mine',
    access: 'signed-in',
    apiKeys: true,
    result: User,
  },
  /** Is the name taken in the caller's realm? */
  userExists: {
    method: 'GET',
    path: '/users/:name/exists',
    access: 'signed-in',
    params: z.object({ name: z.string() }),
    result: z.boolean(),
  },
  /** People of the session's organization and of those below in which the caller may read people. */
  deepUsers: {
    method: 'GET',
    path: '/organizations/users',
    access: 'users:read',
    query: z.object({
      ...found,
      /** Only people of this organization. */
      orgResourceId: z.string().max(500).optional(),
      organization: z.string().optional(),
    }),
    result: contentPage(DeepUser),
  },
  createUser: {
    method: 'POST',
    path: '/organizations/:org/users',
    access: 'users:create',
    params: org,
    body: CreateUser,
    // Of the client of a service account: it signs in with its secret, from no browser.
    ignored: ['serviceAccountClientWebOrigins'],
    result: ChangedUser,
    status: 201,
  },
  /** `totalElements` stops at 1,000 in a list that is searched or filtered; `last` is always right. */
  users: {
    method: 'GET',
    path: '/organizations/:org/users',
    access: 'users:read',
    params: org,
    query: z.object({
      ...found,
      /** Invited and locked people are told to who may change people; nobody is where accounts are elsewhere. */
      status: z.enum(['ENABLED', 'DISABLED', 'INVITED', 'LOCKED']).optional(),
      groupId: rowIdText.optional(),
      /** With `groupId`: only people with this part in the group. */
      membershipRole: z.enum(['ADMIN', 'USER']).optional(),
      /** People who hold the role through any of their groups here. */
      roleId: rowIdText.optional(),
      /** Say of each person also their roles, second factor, last sign-in and state. */
      details: flag.default(false),
    }),
    result: contentPage(User.extend(PersonDetails.partial().shape)),
  },
  userByName: {
    method: 'GET',
    path: '/organizations/:org/users/username/:username',
    access: 'users:read',
    params: org.extend({ username: z.string().max(255) }),
    result: User,
  },
  user: {
    method: 'GET',
    path: '/organizations/:org/users/:user',
    access: 'users:read',
    params: inOrg,
    result: User,
  },
  updateUser: {
    method: 'PUT',
    path: '/organizations/:org/users/:user',
    access: 'users:update',
    inPerson: true,
    params: inOrg,
    body: UserChange,
    result: ChangedUser,
  },
  /** Take the person out of the organization; an account without any organization is deleted. */
  deleteUser: {
    method: 'DELETE',
    path: '/organizations/:org/users/:user',
    access: 'users:delete',
    params: inOrg,
    result: z.undefined(),
  },
  /** Delete the account, out of all its organizations; the caller needs its rights in each. */
  deleteAccount: {
    method: 'DELETE',
    path: '/organizations/:org/users/:user/account',
    access: 'users:delete',
    inPerson: true,
    params: inOrg,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
