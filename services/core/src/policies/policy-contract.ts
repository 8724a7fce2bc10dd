import { actions } from '@longreach/authorization/permissions'
import { contentPage, type Endpoint, flag, paging, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { idList } from '../id-list-contract.ts'
import { User } from '../directory/person-contract.ts'

const PolicyType = z.enum(['STANDARD', 'SELF_DEVICE', 'ALL_DEVICES'])

/** A device group. Every device has its own (SELF_DEVICE, named as the device); `*` holds all. */
export const SecurityPolicy = z.object({ id: z.int(), name: z.string(), type: PolicyType })
export type SecurityPolicy = z.output<typeof SecurityPolicy>

const Counted = SecurityPolicy.extend({
  /** With `counts`: devices in the group, and people, groups and roles connected with it. */
  devices: z.int().optional(),
  holders: z.int().optional(),
})

const org = z.object({ org: z.string() })
const inOrg = z.object({ org: z.string(), policy: rowIdText })
const name = z.string().trim().min(1).max(255)
const userPolicies = z.object({ org: z.string(), user: rowIdText, policies: idList })

const GroupInShort = z.object({ id: z.int(), label: z.string() })
const RoleInShort = GroupInShort.extend({
  /** Actions that the role allows on the devices of the group. */
  actions: z.array(z.string()),
})

/** Device group with its number of devices, and the people, groups and roles that use it. */
const PolicyUse = SecurityPolicy.extend({
  devices: z.int(),
  /** People who see only devices of this and their other groups. */
  people: z.array(User.pick({ id: true, username: true, firstName: true, lastName: true })),
  /** Groups whose members see only devices of this and their other groups. */
  userGroups: z.array(GroupInShort),
  roles: z.array(RoleInShort),
})
type PolicyUse = z.output<typeof PolicyUse>

/** Actions that one person may do with the devices of a group, and the roles that allow them. */
export const PolicySight = z.object({
  user: User.pick({ id: true, username: true, firstName: true, lastName: true }),
  actions: z.array(z.enum(actions)),
  /** Roles that give it, and the group through which the person has each. */
  through: z.array(
    z.object({
      role: z.string(),
      group: z.string(),
      organization: z.string(),
      /** Only on devices of this group, and not on all. */
      limited: z.boolean(),
    }),
  ),
})
export type PolicySight = z.output<typeof PolicySight>

export const policyEndpoints = {
  securityPolicies: {
    method: 'GET',
    path: '/organizations/:org/securityPolicies',
    access: 'devicegroups:read',
    params: org,
    query: z.object({
      ...paging(),
      /** The whole name, as it is. */
      name: z.string().optional(),
      search: z.string().max(255).optional(),
      type: PolicyType.optional(),
      deviceId: z.string().optional(),
      /** Groups that a rule of this role is limited to. */
      roleId: rowIdText.optional(),
      counts: flag.default(false),
    }),
    result: contentPage(Counted),
  },
  createSecurityPolicy: {
    method: 'POST',
    path: '/organizations/:org/securityPolicies',
    access: 'devicegroups:create',
    params: org,
    body: z.object({ name }),
    result: SecurityPolicy,
    status: 201,
  },
  securityPolicy: {
    method: 'GET',
    path: '/organizations/:org/securityPolicies/:policy',
    access: 'devicegroups:read',
    params: inOrg,
    result: SecurityPolicy,
  },
  updateSecurityPolicy: {
    method: 'PUT',
    path: '/organizations/:org/securityPolicies/:policy',
    access: 'devicegroups:update',
    params: inOrg,
    body: z.object({ name }),
    result: SecurityPolicy,
  },
  deleteSecurityPolicy: {
    method: 'DELETE',
    path: '/organizations/:org/securityPolicies/:policy',
    access: 'devicegroups:delete',
    params: inOrg,
    result: z.undefined(),
  },
  /** People, groups and roles of a device group; who may not read one of them gets none of it. */
  policyUse: {
    method: 'GET',
    path: '/organizations/:org/securityPolicies/:policy/use',
    access: 'devicegroups:read',
    params: inOrg,
    result: PolicyUse,
  },
  policyUsers: {
    method: 'GET',
    path: '/organizations/:org/securityPolicies/:policy/users',
    access: 'users:read',
    params: inOrg,
    query: z.object(paging()),
    result: contentPage(User),
  },
  /** People who may see the devices of this group, with their actions and the roles that allow them. */
  policySight: {
    method: 'GET',
    path: '/organizations/:org/securityPolicies/:policy/sight',
    access: 'users:read',
    params: inOrg,
    query: z.object(paging()),
    result: contentPage(PolicySight),
  },
  userPolicies: {
    method: 'GET',
    path: '/organizations/:org/users/:user/securityPolicies',
    access: 'users:read',
    params: z.object({ org: z.string(), user: rowIdText }),
    query: z.object(paging()),
    result: contentPage(SecurityPolicy),
  },
  /** Restrict the person to devices in these groups and the ones put on them before. */
  addUserPolicies: {
    method: 'POST',
    path: '/organizations/:org/users/:user/securityPolicies/:policies',
    access: 'users:update',
    params: userPolicies,
    result: z.undefined(),
  },
  removeUserPolicies: {
    method: 'DELETE',
    path: '/organizations/:org/users/:user/securityPolicies/:policies',
    access: 'users:update',
    params: userPolicies,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
