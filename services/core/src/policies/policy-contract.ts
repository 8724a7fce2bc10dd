import { contentPage, type Endpoint, paging } from '@longreach/kit/contract'
import { z } from 'zod'
import { idList } from '../groups/group-contract.ts'

export const PolicyType = z.enum(['STANDARD', 'SELF_DEVICE', 'ALL_DEVICES'])

/** A device group. Every device has its own (SELF_DEVICE, named as the device); `*` holds all. */
export const SecurityPolicy = z.object({ id: z.int(), name: z.string(), type: PolicyType })
export type SecurityPolicy = z.output<typeof SecurityPolicy>

const id = z.coerce.number<number | string>().int().positive().max(2_147_483_647)
const org = z.object({ org: z.string() })
const inOrg = z.object({ org: z.string(), policy: id })
const device = inOrg.extend({ device: z.string().min(1).max(100) })
const userPolicies = z.object({ org: z.string(), user: id, policies: idList })

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
      type: PolicyType.optional(),
      deviceId: z.string().optional(),
    }),
    result: contentPage(SecurityPolicy),
  },
  createSecurityPolicy: {
    method: 'POST',
    path: '/organizations/:org/securityPolicies',
    access: 'devicegroups:create',
    params: org,
    body: z.object({ name: z.string().trim().min(1).max(255) }),
    result: SecurityPolicy,
    status: 201,
  },
  deleteSecurityPolicy: {
    method: 'DELETE',
    path: '/organizations/:org/securityPolicies/:policy',
    access: 'devicegroups:delete',
    params: inOrg,
    result: z.undefined(),
  },
  addPolicyDevice: {
    method: 'POST',
    path: '/organizations/:org/securityPolicies/:policy/devices/:device',
    access: 'devicegroups:update',
    params: device,
    result: z.undefined(),
  },
  removePolicyDevice: {
    method: 'DELETE',
    path: '/organizations/:org/securityPolicies/:policy/devices/:device',
    access: 'devicegroups:update',
    params: device,
    result: z.undefined(),
  },
  userPolicies: {
    method: 'GET',
    path: '/organizations/:org/users/:user/securityPolicies',
    access: 'users:read',
    params: z.object({ org: z.string(), user: id }),
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
