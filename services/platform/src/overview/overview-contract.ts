import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

const device = { deviceId: z.string(), label: z.string(), orgResourceId: z.string() }
/** `total` counts also those beyond the list. */
const some = <T extends z.ZodType>(item: T) => z.object({ total: z.int(), items: z.array(item) })

/** Texts of the model for a path and its group; absent where the model has none, or the device no longer has the path. */
const words = {
  pathLabel: z.string().optional(),
  group: z.string().optional(),
  unit: z.string().optional(),
}

/** Overview for a person who maintains devices. Times are ms since 1970. */
const Overview = z.object({
  now: z.number(),
  /** Devices that were lost in the last 24 hours and have not connected again, the latest first. */
  lost: some(z.object({ ...device, at: z.number() })),
  /** Writes of others that the caller may approve, the first to expire first. */
  approvals: z.array(
    z.object({
      ...device,
      id: z.string(),
      modelPath: z.string(),
      ...words,
      v: z.unknown(),
      before: z.unknown(),
      reason: z.string().nullable(),
      by: z.string(),
      at: z.number(),
      expiresAt: z.number(),
    }),
  ),
  /** Newest certificates that end within 14 days or ended lately, and keys that were never used and end within 7. */
  expiring: some(
    z.object({ ...device, kind: z.enum(['certificate', 'activationKey']), at: z.number() }),
  ),
  /** Sources that fail, fully or in part, of gateways that are connected. */
  sources: some(
    z.object({
      ...device,
      source: z.string(),
      type: z.string(),
      state: z.enum(['failed', 'partly']),
      error: z.string().nullable(),
      at: z.number(),
    }),
  ),
  /** The newest writes of the last 30 days to paths that the caller may see. */
  writes: z.array(
    z.object({
      ...device,
      modelPath: z.string(),
      ...words,
      from: z.unknown(),
      to: z.unknown(),
      status: z.string(),
      reason: z.string().nullable(),
      by: z.string().nullable(),
      approvedBy: z.string().nullable(),
      at: z.number(),
    }),
  ),
})
type Overview = z.output<typeof Overview>

export const overviewEndpoints = {
  overview: {
    method: 'GET',
    path: '/organizations/:org/overview',
    access: 'devices:read',
    params: z.object({ org: z.string() }),
    result: Overview,
  },
} as const satisfies Record<string, Endpoint>
