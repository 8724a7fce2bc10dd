import { defineContract } from '@longreach/kit/contract'
import { z } from 'zod'

const deviceId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

export const mappingsContract = defineContract({
  service: 'mappings',
  base: '/svc/mappings/api/v1',
  errors: { not_found: 404 },
  endpoints: {
    /** For the platform: what it must know of a device to let it connect and to read its messages. */
    deviceForPlatform: {
      method: 'GET',
      path: '/internal/devices/:deviceId',
      access: 'service',
      params: z.object({ deviceId: z.string() }),
      result: z.object({
        deviceId,
        label: z.string(),
        realm: z.string(),
        orgResourceId: z.string(),
        /** Ids of the device groups (security policies) that the device is in. */
        groups: z.array(z.int()),
        /** JSON text of the DeviceConfiguration, byte for byte as it is sent; null without a preset. */
        configuration: z.string().nullable(),
      }),
    },
  },
  events: {
    deviceCreated: {
      topic: 'mappings.device_created',
      payload: z.object({ deviceId, label: z.string(), orgResourceId: z.string() }),
    },
    deviceDeleted: {
      topic: 'mappings.device_deleted',
      payload: z.object({ deviceId, orgResourceId: z.string() }),
    },
    /** The device's preset was set, changed or taken away, or its label, organization or groups changed. */
    deviceChanged: {
      topic: 'mappings.device_changed',
      payload: z.object({ deviceId, configurationChanged: z.boolean() }),
    },
  },
})
