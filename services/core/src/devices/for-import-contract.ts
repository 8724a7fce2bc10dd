import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'
import { Asking } from './for-mappings-contract.ts'

const resourceId = z.string().min(1).max(500)
const names = z.array(z.string().max(500)).max(2_000)

const Made = z.object({
  device: z.string().min(1).max(100),
  label: z.string().max(200),
  orgResourceId: resourceId,
  groups: z.array(z.int()).max(100),
})

/** Calls of mappings that bring many devices in. */
export const forImportEndpoints = {
  /** Device groups of the organization by name, and organizations at it or below by name, label or path. */
  importPlaces: {
    method: 'POST',
    path: '/internal/devices/places',
    access: 'service',
    reads: true,
    body: Asking.extend({ groups: names, organizations: names }),
    result: z.object({
      groups: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          /** The caller may put devices into it: the group gives nobody a right that they lack. */
          allowed: z.boolean(),
        }),
      ),
      organizations: z.array(
        z.object({ resourceId: z.string(), name: z.string(), label: z.string() }),
      ),
    }),
  },
  /** A device was made: it is known here at once, in these groups, with the rights of who made it. */
  placeMade: {
    method: 'PUT',
    path: '/internal/devices/:device/place',
    access: 'service',
    params: z.object({ device: z.string().min(1).max(100) }),
    body: Asking.extend({
      label: z.string().max(200),
      orgResourceId: resourceId,
      groups: z.array(z.int()).max(100),
    }),
    /** Every group that it is in now. */
    result: z.array(z.int()),
  },
  /** The same for many at once: all of them, or none. */
  placeAllMade: {
    method: 'PUT',
    path: '/internal/devices/places',
    access: 'service',
    body: Asking.extend({ devices: z.array(Made).max(1_000) }),
    result: z.array(z.object({ device: z.string(), groups: z.array(z.int()) })),
  },
} as const satisfies Record<string, Endpoint>
