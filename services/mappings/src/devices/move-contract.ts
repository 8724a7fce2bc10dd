import { DeviceInShort } from '@longreach/core/device-contract'
import { MoveItem, organizationImportToken, Place } from '@longreach/core/device-move-contract'
import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** Clients know these calls at the address of core, which the device was changed and moved by before. */
const base = '/svc/core/api/v1'
const deviceOf = z.object({ org: z.string().optional(), device: z.string().min(1).max(100) })
const organization = z.string().max(500).optional()

/** Calls that change and move a device whose organization is in the path. */
export const moveEndpoints = {
  changeCoreDevice: {
    method: 'PATCH',
    base,
    knownAs: 'core.changeCoreDevice',
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
    base,
    knownAs: 'core.moveCheck',
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
    base,
    knownAs: 'core.moveDevice',
    path: '/organizations/:org/devices/:device/move',
    also: ['/devices/:device/move'],
    access: 'devices:delete',
    // Written into the trails of both organizations, together with the change.
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
