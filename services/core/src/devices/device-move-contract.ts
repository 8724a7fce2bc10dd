import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'
import { Asking } from './asking-contract.ts'
import { DeviceInShort } from './device-contract.ts'

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

export const organizationImportToken = z.string().trim().min(1).max(200)
const resourceId = z.string().min(1).max(500)
const params = z.object({ device: z.string().min(1).max(100) })

/** Calls about a move of devices to the organization of an import token, for a person who may delete the devices. */
export const deviceMoveEndpoints = {
  /** Organization of an import token; groups, people, roles and keys that lose these devices by a move there. */
  moveLosses: {
    method: 'POST',
    path: '/internal/devices/move-losses',
    access: 'service',
    reads: true,
    body: Asking.extend({ organizationImportToken, devices: z.array(z.string()) }),
    result: z.object({ to: Place, items: z.array(MoveItem) }),
  },
  /** Use an import token for a device. `endMove` must follow. */
  beginMove: {
    method: 'POST',
    path: '/internal/devices/:device/move',
    access: 'service',
    params,
    body: Asking.extend({
      organizationImportToken,
      /** Name of a run that uses the token once for each of many devices; nothing else can use it then. */
      work: z.string().min(1).max(100).optional(),
    }),
    result: z.object({ device: DeviceInShort, to: Place.extend({ realm: z.string() }) }),
  },
  /** Put the moved device into its groups there; without `moved`, make the token usable again. */
  endMove: {
    method: 'PUT',
    path: '/internal/devices/:device/move',
    access: 'service',
    params,
    body: z.object({
      organizationImportToken,
      work: z.string().min(1).max(100).optional(),
      moved: z.object({ label: z.string(), from: resourceId, to: resourceId }).optional(),
    }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
