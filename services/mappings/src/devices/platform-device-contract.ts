import type { Endpoint } from '@longreach/kit/contract'
import { fillPolicies, paddingPolicies } from '@longreach/formula/missing'
import { FormulaWindows } from '../presets/formula-windows-contract.ts'
import { z } from 'zod'
import { deviceId } from '../search/device-fields-contract.ts'

export const platformDeviceEndpoints = {
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
      /** Model of its preset: the organization that has it, and its name as paths begin (`Oven:1`). */
      model: z.object({ organization: z.string(), name: z.string() }).optional(),
      /** JSON text of the DeviceConfiguration, byte for byte as it is sent; null without a preset. */
      configuration: z.string().nullable(),
      /** Values that the platform computes from others of the device; not part of the configuration. */
      formulas: z
        .array(
          z.object({
            path: z.string(),
            type: z.string(),
            history: z.boolean(),
            text: z.string(),
            missing: z.object({ fill: z.enum(fillPolicies), padding: z.enum(paddingPolicies) }),
            windows: FormulaWindows.optional(),
          }),
        )
        .optional(),
      /**
       * Words and limits of the preset's model about its paths; those without any are left out. Inside of
       * arrays a path stands for all items: `Oven:1/zones[*]/temperature`.
       */
      facts: z.array(
        z.object({
          path: z.string(),
          label: z.string(),
          unit: z.string(),
          description: z.string(),
          min: z.number().optional(),
          max: z.number().optional(),
        }),
      ),
    }),
  },
} as const satisfies Record<string, Endpoint>
