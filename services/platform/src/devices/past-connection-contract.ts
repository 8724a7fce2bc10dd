import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** A line that comes and goes ten times an hour, for thirty days. */
const mostChanges = 15_000

/** When a device was there before this installation knew it, told by the server itself. */
export const pastConnectionEndpoints = {
  /** Only before anything is known of the line; who was there at last has a while to come back. */
  insertConnections: {
    method: 'POST',
    path: '/internal/devices/:deviceId/connections',
    access: 'service',
    params: z.object({ deviceId: z.string().max(100) }),
    body: z.object({
      /** When the line came and went, oldest first: `[ms, connected]`. */
      changes: z
        .array(z.tuple([z.int(), z.boolean()]))
        .min(1)
        .max(mostChanges),
      /** From where it came. */
      ip: z.string().max(100).optional(),
    }),
    result: z.object({ inserted: z.int() }),
  },
} as const satisfies Record<string, Endpoint>
