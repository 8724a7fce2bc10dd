import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

export const DeviceActivity = z.object({
  deviceId: z.string(),
  connected: z.boolean(),
  /** ms since 1970; null before the first message. */
  lastMessageAt: z.number().nullable(),
  /** Connection state 24 hours ago; null where it is not known. */
  connectedBefore: z.boolean().nullable(),
  /** Changes of the connection in the last 24 hours: `[ms, connected]`, oldest first. */
  changes: z.array(z.tuple([z.number(), z.boolean()])),
})
export type DeviceActivity = z.output<typeof DeviceActivity>

export const deviceActivityEndpoints = {
  /** For the rows of a list: when each device was last heard, and its line in the last 24 hours. */
  activity: {
    method: 'POST',
    path: '/organizations/:org/devices/activity',
    reads: true,
    access: 'devices:read',
    params: z.object({ org: z.string() }),
    body: z.object({ deviceIds: z.array(z.string().max(100)).max(500) }),
    /** `now` is the server's clock, against which the last 24 hours are meant. */
    result: z.object({ now: z.number(), data: z.array(DeviceActivity) }),
  },
} as const satisfies Record<string, Endpoint>
