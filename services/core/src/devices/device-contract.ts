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
const deviceOf = z.object({ org: z.string().optional(), device: z.string().min(1).max(100) })
const organization = z.string().max(500).optional()
const organizationImportToken = z.string().trim().min(1).max(200)

/**
 * `goes`: with the device as it is; `copied`: the new organization gets one of its own; `left`: the
 * device loses it; `cut`: people, roles and keys lose the device.
 */
export const MoveItem = z.object({
  kind: z.enum([
    'history',
    'credentials',
    'notes',
    'model',
    'preset',
    'deviceGroups',
    'people',
    'roles',
    'apiKeys',
  ]),
  fate: z.enum(['goes', 'copied', 'left', 'cut']),
  /** At most twenty of them by name; `count` counts all. */
  names: z.array(z.string()),
  count: z.int(),
})
export type MoveItem = z.output<typeof MoveItem>

export const Place = z.object({ id: z.int(), resourceId: z.string(), label: z.string() })

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
  changeCoreDevice: {
    method: 'PATCH',
    path: '/organizations/:org/devices/:device',
    also: ['/devices/:device'],
    access: 'devices:update',
    params: deviceOf,
    query: z.object({ organization }),
    body: z.object({
      label: z.string().trim().min(1).max(200).optional(),
      description: z.string().max(2_000).optional(),
      serialNumber: z.string().max(200).optional(),
    }),
    result: DeviceInShort,
  },
  /** Effects of a move into the organization of this token; changes nothing. */
  moveCheck: {
    method: 'GET',
    path: '/organizations/:org/devices/:device/move-check',
    also: ['/devices/:device/move-check'],
    access: 'devices:delete',
    params: deviceOf,
    query: z.object({ organization, organizationImportToken }),
    result: z.object({ device: DeviceInShort, from: Place, to: Place, items: z.array(MoveItem) }),
  },
  /** Give the device with its history to another organization, which hands out the token for it. */
  moveDevice: {
    method: 'POST',
    path: '/organizations/:org/devices/:device/move',
    also: ['/devices/:device/move'],
    access: 'devices:delete',
    // Mappings writes it into the trails of both organizations, together with the change.
    audit: 'own',
    params: deviceOf,
    query: z.object({ organization }),
    body: z.object({
      organizationImportToken,
      /** Description, attributes, comments and the time-line go along; else they stay behind. */
      notes: z.boolean().default(false),
    }),
    result: DeviceInShort,
  },
} as const satisfies Record<string, Endpoint>
