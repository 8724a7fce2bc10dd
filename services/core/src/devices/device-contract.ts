import { contentPage, type Endpoint, paging, rowId, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

const SecurityPolicyOfDevice = z.object({ id: z.int(), name: z.string(), type: z.string() })

/** A device by the id that it bears, or by the number of its row. */
export const DeviceReference = z.union([z.string().min(1).max(100), rowId.transform(String)])

/** A device as core lists it; what it is and does stands in mappings and platform. */
export const CoreDevice = z.object({
  /** The number of its row: calls of core take it wherever they take `hwId`. */
  id: z.int(),
  alias: z.string(),
  deviceAlias: z.string(),
  label: z.string(),
  /** The id that the device itself bears: the logical id of its topics and certificate. */
  hwId: z.string(),
  deleted: z.boolean(),
  realm: z.object({ id: z.int(), name: z.string(), deleted: z.boolean() }),
  securityPolicyGroups: z.array(SecurityPolicyOfDevice),
  vpnName: z.string().nullable(),
  orgResourceId: z.string(),
})
export type CoreDevice = z.output<typeof CoreDevice>

export const DeviceInShort = CoreDevice.pick({
  id: true,
  alias: true,
  label: true,
  hwId: true,
  orgResourceId: true,
})
export type DeviceInShort = z.output<typeof DeviceInShort>

const text = z.string().max(500).optional()
const deviceQuestion = {
  ...paging(),
  /** Part of the label or of the id. */
  search: text,
  deviceAlias: text,
  deviceHwId: text,
  deviceId: text,
  deviceLabel: text,
  securityPolicyGroupId: rowIdText.optional(),
}

const org = z.object({ org: z.string() })

export const deviceEndpoints = {
  coreDevices: {
    method: 'GET',
    path: '/organizations/:org/devices',
    access: 'devices:read',
    params: org,
    query: z.object(deviceQuestion),
    result: contentPage(CoreDevice),
  },
  searchCoreDevices: {
    method: 'GET',
    path: '/organizations/:org/devices/search',
    access: 'devices:read',
    params: org,
    query: z.object(deviceQuestion),
    result: contentPage(CoreDevice),
  },
  coreDeviceByLabel: {
    method: 'GET',
    path: '/organizations/:org/devices/label/:label',
    access: 'devices:read',
    params: org.extend({ label: z.string().min(1).max(200) }),
    result: DeviceInShort,
  },
} as const satisfies Record<string, Endpoint>
