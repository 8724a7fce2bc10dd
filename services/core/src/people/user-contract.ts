import { contentPage, type Endpoint, paging } from '@longreach/kit/contract'
import { z } from 'zod'

export const User = z.object({
  id: z.int(),
  /** The subject of the person's tokens. */
  sub: z.string(),
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  serviceAccount: z.boolean(),
  groupPoliciesEnabled: z.boolean(),
  /** In a list of a group's members: their part in it. */
  membershipRole: z.enum(['ADMIN', 'USER']).optional(),
})
export type User = z.output<typeof User>

export const Username = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(255)
  .regex(/^[^\s/\\@:]+(@[^\s/\\@:]+)?$/, 'must not hold blanks, slashes, colons or a second @')
const personal = {
  email: z.union([z.email().max(255), z.literal(''), z.literal('--')]),
  firstName: z.string().trim().max(255),
  lastName: z.string().trim().max(255),
  password: z.string().min(1).max(512),
}
/** A person who does not exist yet; without a password they get a one-time link. */
export const NewPerson = z.object({
  username: Username,
  email: personal.email.default(''),
  firstName: personal.firstName.default(''),
  lastName: personal.lastName.default(''),
  password: personal.password.optional(),
})
export type NewPerson = z.output<typeof NewPerson>

const groups = z.array(z.int()).max(1000).default([])
export const CreateUser = NewPerson.extend({
  serviceAccount: z.boolean().default(false),
  /** The person has an account in the realm already and only joins this organization. */
  existing: z.boolean().default(false),
  memberOf: groups,
  regularUserOf: groups,
  adminUserOf: groups,
})
export type CreateUser = z.output<typeof CreateUser>

const org = z.object({ org: z.string() })
const inOrg = z.object({ org: z.string(), user: z.coerce.number<number | string>().int() })

export const userEndpoints = {
  me: { method: 'GET', path: '/users/mine', access: 'signed-in', result: User },
  /** Is the name taken in the caller's realm? */
  userExists: {
    method: 'GET',
    path: '/users/:name/exists',
    access: 'signed-in',
    params: z.object({ name: z.string() }),
    result: z.boolean(),
  },
  createUser: {
    method: 'POST',
    path: '/organizations/:org/users',
    access: 'users:create',
    params: org,
    body: CreateUser,
    result: User,
    status: 201,
  },
  users: {
    method: 'GET',
    path: '/organizations/:org/users',
    access: 'users:read',
    params: org,
    query: z.object({
      ...paging(),
      /** Part of the user name, the e-mail address or the person's name. */
      search: z.string().max(255).optional(),
      username: z.string().optional(),
      type: z.enum(['ANY', 'STANDARD', 'SERVICE']).default('ANY'),
      groupId: z.coerce.number<number>().int().optional(),
    }),
    result: contentPage(User),
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
    body: z.object(personal).partial(),
    result: User,
  },
  /** Take the person out of the organization; an account without any organization is deleted. */
  deleteUser: {
    method: 'DELETE',
    path: '/organizations/:org/users/:user',
    access: 'users:delete',
    params: inOrg,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
