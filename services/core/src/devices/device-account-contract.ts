import { type Endpoint, rowId } from '@longreach/kit/contract'
import { z } from 'zod'

const params = z.object({ org: z.string(), device: z.string().min(1).max(100) })
const DeviceAccount = z.object({
  userId: z.int(),
  username: z.string(),
  /** Labels of its roles. */
  roles: z.array(z.string()),
})

/** The service account that may act for a device: it sees this one only. */
export const deviceAccountEndpoints = {
  deviceAccount: {
    method: 'GET',
    path: '/organizations/:org/devices/:device/serviceAccount',
    access: 'users:read',
    params,
    result: z.object({ account: DeviceAccount.nullable() }),
  },
  /** Make it, named like the device; its secret is shown this once. */
  createDeviceAccount: {
    method: 'POST',
    path: '/organizations/:org/devices/:device/serviceAccount',
    access: 'users:create',
    params,
    /** Roles of the organization that the caller may give; when absent, all on the device and an operator's, as far as the caller may give them. */
    body: z.object({ rolesId: z.array(rowId).max(20).optional() }),
    result: DeviceAccount.extend({ client: z.string(), clientSecret: z.string() }),
    status: 201,
  },
  /** Take it away, with every token of it. */
  deleteDeviceAccount: {
    method: 'DELETE',
    path: '/organizations/:org/devices/:device/serviceAccount',
    access: 'users:delete',
    params,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
