import { contentPage, type Endpoint, paging, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { SecurityPolicy } from '../policies/policy-contract.ts'
import { CoreDevice, DeviceReference } from './device-contract.ts'

const inOrg = z.object({ org: z.string(), policy: rowIdText })
/** One or several device ids with commas between. */
const deviceIdList = z
  .string()
  .regex(/^[\w-]{1,100}(,[\w-]{1,100}){0,199}$/, 'must be device ids with commas between')
  .transform((text) => [...new Set(text.split(','))])
const devices = inOrg.extend({ devices: deviceIdList })
const deviceIds = z.array(DeviceReference).max(1_000).default([])

export const policyDeviceEndpoints = {
  /** Device groups inside of one: the groups of their own of the devices in it that the caller sees. */
  policiesInside: {
    method: 'GET',
    path: '/organizations/:org/securityPolicies/:policy/securityPolicies',
    access: 'devicegroups:read',
    params: inOrg,
    query: z.object(paging()),
    result: contentPage(SecurityPolicy),
  },
  /** The devices of a group that the caller sees, here and below. */
  policyDevices: {
    method: 'GET',
    path: '/organizations/:org/securityPolicies/:policy/devices',
    access: 'devicegroups:read',
    params: inOrg,
    query: z.object({ ...paging(), search: z.string().max(255).optional() }),
    result: contentPage(CoreDevice),
  },
  /** Add and remove many at once: all of it, or nothing when one of them is not there. */
  changePolicyDevices: {
    method: 'PUT',
    path: '/organizations/:org/securityPolicies/:policy/devices',
    access: 'devicegroups:update',
    params: inOrg,
    body: z.object({ add: deviceIds, remove: deviceIds }),
    result: z.undefined(),
  },
  addPolicyDevices: {
    method: 'POST',
    path: '/organizations/:org/securityPolicies/:policy/devices/:devices',
    access: 'devicegroups:update',
    params: devices,
    result: z.undefined(),
  },
  removePolicyDevices: {
    method: 'DELETE',
    path: '/organizations/:org/securityPolicies/:policy/devices/:devices',
    access: 'devicegroups:update',
    params: devices,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
