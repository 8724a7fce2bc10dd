import { type Endpoint, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { Asking } from './asking-contract.ts'
import { DeviceInShort } from './device-contract.ts'
import { Place } from './device-move-contract.ts'

const resourceId = z.string().min(1).max(500)
const names = z.array(z.string().max(500)).max(2_000).default([])
const ofDevice = z.object({ device: z.string().min(1).max(100) })

/** Calls about the organization and the device groups of devices, for a person. */
export const devicePlaceEndpoints = {
  /** Device on which the person may do `action`, by its id or its number, with its organization. */
  permittedDevice: {
    method: 'POST',
    path: '/internal/devices/:device/permitted',
    access: 'service',
    reads: true,
    params: ofDevice,
    body: Asking.extend({ action: z.enum(['update', 'delete']) }),
    result: DeviceInShort.extend({ organization: Place }),
  },
  /** Organizations and device groups by id, name or a part of the name; what is not asked for is empty. */
  findPlaces: {
    method: 'POST',
    path: '/internal/places',
    access: 'service',
    reads: true,
    body: Asking.extend({
      /** Names of device groups of the organization. */
      groups: names,
      groupIds: z.array(z.int()).max(2_000).default([]),
      /** Names, labels or paths of organizations at it or below. */
      organizations: names,
      /** Part of the name or label of organizations below. */
      search: z.string().min(1).max(500).optional(),
    }),
    result: z.object({
      groups: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          /** The caller may put devices into it: the group gives nobody a right that they lack. */
          allowed: z.boolean(),
        }),
      ),
      /** Those of `groupIds` that are device groups of the organization. */
      groupIds: z.array(z.int()),
      organizations: z.array(
        z.object({ resourceId: z.string(), name: z.string(), label: z.string() }),
      ),
      /** resourceIds of organizations with `search` in their name or label, at most 500. */
      found: z.array(z.string()),
    }),
  },
  /**
   * Put devices where they are: their organization, label and own group, the groups of all devices and
   * `groups`, with the rights of the person. All of them, or none.
   */
  placeDevices: {
    method: 'PUT',
    path: '/internal/devices/places',
    access: 'service',
    body: Asking.extend({
      devices: z
        .array(
          z.object({
            device: z.string().min(1).max(100),
            label: z.string().max(200),
            orgResourceId: resourceId,
            groups: z.array(z.int()).max(100),
          }),
        )
        .max(1_000),
    }),
    /** Every group that each is in now. */
    result: z.array(z.object({ device: z.string(), groups: z.array(z.int()) })),
  },
  /** Put a device into a group, or take it out, with the rights of the person. */
  changeDeviceGroup: {
    method: 'PUT',
    path: '/internal/policies/:policy/devices/:device',
    access: 'service',
    params: ofDevice.extend({ policy: rowIdText }),
    body: Asking.extend({ inside: z.boolean() }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
