import { contentPage, type Endpoint, flag, paging } from '@longreach/kit/contract'
import { z } from 'zod'
import { User } from '../people/user-contract.ts'

export const GroupType = z.enum(['STANDARD', 'SELF_USER_ANY', 'ALL_USER'])
export const MemberRole = z.enum(['ADMIN', 'USER'])

export const UserGroup = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  organizationId: z.int(),
  /** SELF_USER_ANY: one person's own group; ALL_USER: everybody of the organization, named `*`. */
  type: GroupType,
  owner: z.literal('ORGANIZATION'),
  groupPoliciesEnabled: z.boolean(),
})
export type UserGroup = z.output<typeof UserGroup>

const id = z.coerce.number<number | string>().int().positive().max(2_147_483_647)
const ids = z.array(z.int().positive()).max(1000).default([])
/** `3` or `3,4`: one or several ids in a path. */
export const idList = z
  .string()
  .regex(/^\d{1,9}(,\d{1,9}){0,199}$/, 'must be numbers with commas between')
  .transform((text) => text.split(',').map(Number))

const org = z.object({ org: z.string() })
const inOrg = z.object({ org: z.string(), group: id })

export const groupEndpoints = {
  userGroups: {
    method: 'GET',
    path: '/organizations/:org/userGroups',
    access: 'usergroups:read',
    params: org,
    query: z.object({
      ...paging(),
      name: z.string().optional(),
      search: z.string().max(255).optional(),
      type: GroupType.optional(),
      userId: id.optional(),
      username: z.string().optional(),
      roleId: id.optional(),
      /** With `userId` or `username`: only groups in which that person is ADMIN. */
      adminOnly: flag.optional(),
    }),
    result: contentPage(UserGroup),
  },
  createUserGroup: {
    method: 'POST',
    path: '/organizations/:org/userGroups',
    access: 'usergroups:create',
    params: org,
    body: z.object({
      name: z.string().trim().min(1).max(255),
      regularUserMembersId: ids,
      adminUserMembersId: ids,
      rolesId: ids,
    }),
    result: UserGroup,
    status: 201,
  },
  userGroup: {
    method: 'GET',
    path: '/organizations/:org/userGroups/:group',
    access: 'usergroups:read',
    params: inOrg,
    result: UserGroup,
  },
  deleteUserGroup: {
    method: 'DELETE',
    path: '/organizations/:org/userGroups/:group',
    access: 'usergroups:delete',
    params: inOrg,
    result: z.undefined(),
  },
  myGroups: {
    method: 'GET',
    path: '/organizations/:org/userGroups/mine/members',
    access: 'member',
    params: org,
    result: z.object({ adminsOf: z.array(z.int()), usersOf: z.array(z.int()) }),
  },
  groupMembers: {
    method: 'GET',
    path: '/organizations/:org/userGroups/:group/members',
    access: 'usergroups:read',
    params: inOrg,
    result: z.array(User),
  },
  addGroupMember: {
    method: 'POST',
    path: '/organizations/:org/userGroups/:group/members/:user',
    access: 'usergroups:update',
    params: inOrg.extend({ user: id }),
    query: z.object({ role: MemberRole.default('USER') }),
    result: z.undefined(),
  },
  removeGroupMember: {
    method: 'DELETE',
    path: '/organizations/:org/userGroups/:group/members/:user',
    access: 'usergroups:update',
    params: inOrg.extend({ user: id }),
    result: z.undefined(),
  },
  addGroupRoles: {
    method: 'POST',
    path: '/organizations/:org/userGroups/:group/roles/:roles',
    access: 'usergroups:update',
    params: inOrg.extend({ roles: idList }),
    result: z.undefined(),
  },
  removeGroupRoles: {
    method: 'DELETE',
    path: '/organizations/:org/userGroups/:group/roles/:roles',
    access: 'usergroups:update',
    params: inOrg.extend({ roles: idList }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
