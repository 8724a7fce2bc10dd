import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

const device = { deviceId: z.string(), label: z.string(), orgResourceId: z.string() }
/** `total` counts also those beyond the list. */
const some = <T extends z.ZodType>(item: T) => z.object({ total: z.int(), items: z.array(item) })

/** What the model calls a path, and the part that it is in; absent where the model has no word, or the device no such path any more. */
const words = {
  pathLabel: z.string().optional(),
  group: z.string().optional(),
  unit: z.string().optional(),
}

/** What a person who looks after devices needs to know first. Times are ms since 1970. */
const Overview = z.object({
  now: z.number(),
  /** Devices that were lost in the last 24 hours and have not come back, the last first. */
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
