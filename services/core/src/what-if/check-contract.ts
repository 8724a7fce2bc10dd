import { type Endpoint, rowId, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { DeviceReference } from '../devices/device-contract.ts'
import { GeneralPermission } from '../roles/role-contract.ts'

/** A person's rights on devices and their remote access, in short. */
export const UserAuthorization = z.object({
  deviceGeneralPermission: GeneralPermission,
  vpnGeneralPermission: GeneralPermission,
})
export type UserAuthorization = z.output<typeof UserAuthorization>

const org = z.object({ org: z.string() })
const ids = z.array(rowId).max(1000).default([])

export const checkEndpoints = {
  /**
   * The permissions (`iam.devices.read`) that the person would have after a change of groups and
   * roles; with `revokedOnly` those that they would lose. The caller, or `userId` with `users:read`.
   */
  testApplicationPermissions: {
    method: 'POST',
    path: '/organizations/:org/roles/testApplicationPermissions',
    also: ['/organizations/:org/testApplicationPermissions'],
    reads: true,
    access: 'member',
    apiKeys: true,
    params: org,
    body: z.object({
      groupsToAdd: ids,
      rolesToAdd: ids,
      groupsToRemove: ids,
      rolesToRemove: ids,
      revokedOnly: z.boolean().default(false),
      userId: rowId.optional(),
    }),
    result: z.array(z.string()),
  },
  /** Actions the caller may do on one device, in a device group, or at a VPN name; 404 where it is not visible to them. */
  isAuthorized: {
    method: 'GET',
    path: '/organizations/:org/roles/isAuthorized',
    also: ['/organizations/:org/isAuthorized'],
    access: 'member',
    apiKeys: true,
    params: org,
    query: z
      .object({
        deviceId: z.string().min(1).max(100).optional(),
        deviceGroup: rowIdText.optional(),
        vpnName: z.string().min(1).max(255).optional(),
      })
      .refine((asked) => Object.values(asked).some((one) => one !== undefined), {
        message: 'name a deviceId, a deviceGroup or a vpnName',
      }),
    result: UserAuthorization,
  },
  /** The same for many devices; those that the caller does not see are left out. */
  areAuthorized: {
    method: 'POST',
    path: '/organizations/:org/roles/areAuthorized',
    also: ['/organizations/:org/areAuthorized'],
    reads: true,
    access: 'member',
    apiKeys: true,
    params: org,
    body: z.object({ deviceIds: z.array(DeviceReference).max(10_000) }),
    result: z.record(z.string(), UserAuthorization),
  },
} as const satisfies Record<string, Endpoint>
