import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

const params = z.object({ deviceId: z.string().max(100) })
const resourceId = z.string().min(1).max(500)

/** Calls of core, which has checked the caller's rights and knows both organizations. */
export const moveEndpoints = {
  changeForCore: {
    method: 'PATCH',
    path: '/internal/devices/:deviceId',
    access: 'service',
    params,
    body: z.object({
      label: z.string().trim().min(1).max(200).optional(),
      description: z.string().max(2_000).optional(),
      serialNumber: z.string().max(200).optional(),
    }),
    result: z.object({ label: z.string() }),
  },
  /** Outcome of a move for the device's preset and model. */
  moveOutcome: {
    method: 'GET',
    path: '/internal/devices/:deviceId/move',
    access: 'service',
    params,
    query: z.object({ to: resourceId }),
    result: z.object({
      preset: z.string().nullable(),
      model: z.string().nullable(),
      /** `left`: the other organization has a different model of that name and version. */
      outcome: z.enum(['none', 'there', 'copied', 'left']),
    }),
  },
  moveForCore: {
    method: 'POST',
    path: '/internal/devices/:deviceId/move',
    access: 'service',
    params,
    body: z.object({
      from: resourceId,
      to: resourceId,
      toRealm: z.string().min(1),
      /** Description, attributes, comments and the time-line of before go along; else they stay behind. */
      notes: z.boolean().default(false),
      /** The person as a caller of the server, and their call: for the audit trails of both organizations. */
      caller: z.looseObject({
        kind: z.enum(['nobody', 'user', 'service', 'device']),
        sub: z.string(),
        username: z.string(),
        realm: z.string(),
      }),
      ip: z.string().max(100),
      call: z.string().max(100),
    }),
    result: z.object({ label: z.string() }),
  },
} as const satisfies Record<string, Endpoint>
