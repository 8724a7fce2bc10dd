import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'
import { Refusal } from '../devices/refusal-contract.ts'

const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })

const ConsoleFrame = z.object({
  at: z.number(),
  direction: z.enum(['received', 'sent']),
  topic: z.string(),
  bytes: z.int(),
  head: z.string(),
  ok: z.boolean(),
  path: z.string().optional(),
  value: z.unknown().optional(),
  t: z.number().optional(),
  reason: z.string().optional(),
  refusal: Refusal.optional(),
})

export const consoleEndpoints = {
  /** The device's last frames; they are kept from the first call until a minute after the last. */
  console: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/console',
    access: 'devices:update',
    params: ofDevice,
    result: z.array(ConsoleFrame),
  },
} as const satisfies Record<string, Endpoint>
