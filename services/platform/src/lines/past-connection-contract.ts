import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

/** Twenty changes an hour, for thirty days. */
const mostChanges = 15_000

/** Connections of a device from before this installation, inserted by the server itself. */
export const pastConnectionEndpoints = {
  /** Only before any connection is known; a device that is connected at the end is expected to connect again. */
  insertConnections: {
    method: 'POST',
    path: '/internal/devices/:deviceId/connections',
    access: 'service',
    params: z.object({ deviceId: z.string().max(100) }),
    body: z.object({
      /** Changes of the connection, oldest first: `[ms, connected]`. */
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
