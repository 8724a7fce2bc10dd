import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** For services that show devices to people whose rights they have looked at themselves. */
export const describedEndpoints = {
  /** Names and attributes of these devices; one that is not there is left out. */
  devicesDescribed: {
    method: 'POST',
    path: '/internal/devices/described',
    reads: true,
    access: 'service',
    body: z.object({ ids: z.array(z.string().max(100)).max(10_000) }),
    result: z.array(
      z.object({
        id: z.string(),
        aliases: z.record(z.string(), z.string()),
        attributes: z.record(z.string(), z.unknown()),
      }),
    ),
  },
  /**
   * Devices of a label, a serial number or an id, in an organization or below it: the label of the
   * organization's own device first.
   */
  devicesByAlias: {
    method: 'GET',
    path: '/internal/devices/by-alias',
    access: 'service',
    query: z.object({ organization: z.string(), alias: z.string().min(1).max(500) }),
    result: z.array(
      z.object({ id: z.string(), by: z.enum(['label', 'serialNumber', 'id']), here: z.boolean() }),
    ),
  },
} as const satisfies Record<string, Endpoint>
