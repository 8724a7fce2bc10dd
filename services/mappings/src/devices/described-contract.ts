import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** Calls about facts of devices, for a service that has checked the rights of the caller itself. */
export const describedEndpoints = {
  /**
   * Devices by their ids; or devices of a label, a serial number or an id in an organization or below
   * it, the label of the organization's own device first. One that is not there is left out.
   */
  devicesDescribed: {
    method: 'POST',
    path: '/internal/devices/described',
    reads: true,
    access: 'service',
    body: z.union([
      z.strictObject({ ids: z.array(z.string().max(100)).max(10_000) }),
      z.strictObject({ organization: z.string(), alias: z.string().min(1).max(500) }),
    ]),
    result: z.array(
      z.object({
        id: z.string(),
        organization: z.string(),
        /** Under `label` and, where it has one, `serialNumber`. */
        aliases: z.record(z.string(), z.string()),
        attributes: z.record(z.string(), z.unknown()),
      }),
    ),
  },
} as const satisfies Record<string, Endpoint>
