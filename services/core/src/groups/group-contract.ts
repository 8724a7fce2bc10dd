import { contentPage, type Endpoint, flag, paging, rowId, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { User } from '../directory/person-contract.ts'
import { idList } from '../id-list-contract.ts'

/** SELF_USER and SELF_USER_SERVICE: one person's or program's own group; ALL_USER: everybody of the organization, named `*`. */
const GroupType = z.enum(['STANDARD', 'SELF_USER', 'SELF_USER_SERVICE', 'ALL_USER'])
/** In a question: SELF_USER_ANY is either of the groups of one's own, ALL is every type. */
const AskedType = z.enum([...GroupType.options, 'SELF_USER_ANY', 'ALL'])
const MemberRole = z.enum(['ADMIN', 'USER'])

export const UserGroup = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  organizationId: z.int(),
  type: GroupType,
  owner: z.literal('ORGANIZATION'),
  /** The group restricts members who let their groups do so: it carries device groups. */
  groupPoliciesEnabled: z.boolean(),
  /** In a list of one person's groups: their part in it. */
  membershipRole: MemberRole.optional(),
  memberCount: z.int(),
  rolesId: z.array(z.int()),
  policiesId: z.array(z.int()),
})
export type UserGroup = z.output<typeof UserGroup>

const PolicyOfGroup = z.object({ id: z.int(), name: z.string(), type: z.string() })
const ids = z.array(rowId).max(1000)

const name = z.string().trim().min(1).max(255)
/** Whole sets: what is not in them leaves the group, what is absent stays as it is. */
const sets = {
  /** Regular members, where the two other lists do not say otherwise. */
  membersId: ids.optional(),
  regularUserMembersId: ids.optional(),
  adminUserMembersId: ids.optional(),
  rolesId: ids.optional(),
  /** Device groups that the group's members are restricted to. */
  policiesId: ids.optional(),
}
const NewGroup = z.object({ name, ...sets })
export const GroupChange = z.object({ name: name.optional(), ...sets })
export type GroupChange = z.output<typeof GroupChange>

const org = z.object({ org: z.string() })
const inOrg = z.object({ org: z.string(), group: rowIdText })
const member = inOrg.extend({ user: rowIdText })

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
      type: AskedType.default('ALL'),
      userId: rowIdText.optional(),
      username: z.string().optional(),
      roleId: rowIdText.optional(),
      /** With `userId` or `username`: only groups in which that person is ADMIN. */
      adminOnly: flag.optional(),
      orderDir: z.enum(['asc', 'desc', 'ASC', 'DESC']).default('asc'),
    }),
    result: contentPage(UserGroup),
  },
  createUserGroup: {
    method: 'POST',
    path: '/organizations/:org/userGroups',
    access: 'usergroups:create',
    params: org,
    body: NewGroup,
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
  updateUserGroup: {
    method: 'PUT',
    path: '/organizations/:org/userGroups/:group',
    access: 'usergroups:update',
    params: inOrg,
    body: GroupChange,
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
    apiKeys: 'usergroups:read',
    params: org,
    result: z.object({ adminsOf: z.array(z.int()), usersOf: z.array(z.int()) }),
  },
  groupMembers: {
    method: 'GET',
    path: '/organizations/:org/userGroups/:group/members',
    access: 'member',
    apiKeys: 'usergroups:read',
    params: inOrg,
    result: z.array(User),
  },
  /** For who may change groups, and for the group's own administrators. */
  addGroupMember: {
    method: 'POST',
    path: '/organizations/:org/userGroups/:group/members/:user',
    access: 'member',
    params: member,
    query: z.object({ role: MemberRole.default('USER') }),
    result: z.undefined(),
  },
  removeGroupMember: {
    method: 'DELETE',
    path: '/organizations/:org/userGroups/:group/members/:user',
    access: 'member',
    params: member,
    result: z.undefined(),
  },
  addGroupRoles: {
    method: 'POST',
    path: '/organizations/:org/userGroups/:group/roles/:roles',
    access: 'usergroups:update',
    params: inOrg.extend({ roles: idList }),
    result: UserGroup,
    status: 201,
  },
  removeGroupRoles: {
    method: 'DELETE',
    path: '/organizations/:org/userGroups/:group/roles/:roles',
    access: 'usergroups:update',
    params: inOrg.extend({ roles: idList }),
    result: z.undefined(),
  },
  /** Device groups that the members of the group are restricted to. */
  groupPolicies: {
    method: 'GET',
    path: '/organizations/:org/userGroups/:group/securityPolicies',
    access: 'usergroups:read',
    params: inOrg,
    query: z.object(paging()),
    result: contentPage(PolicyOfGroup),
  },
  addGroupPolicies: {
    method: 'POST',
    path: '/organizations/:org/userGroups/:group/securityPolicies/:policies',
    access: 'usergroups:update',
    params: inOrg.extend({ policies: idList }),
    result: z.undefined(),
  },
  removeGroupPolicies: {
    method: 'DELETE',
    path: '/organizations/:org/userGroups/:group/securityPolicies/:policies',
    access: 'usergroups:update',
    params: inOrg.extend({ policies: idList }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
