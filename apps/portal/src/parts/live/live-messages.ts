import '../api/schemas-without-eval.ts'
import { z } from 'zod'

/** `[subscription, path, ms since 1970, value, quality]` */
const value = z.tuple([z.number(), z.string(), z.number(), z.unknown(), z.unknown()])

/** Everything that the server says on the live socket. */
export const ServerMessage = z.discriminatedUnion('op', [
  z.object({ op: z.literal('ready') }),
  z.object({ op: z.literal('error'), code: z.string(), message: z.string() }),
  z.object({ op: z.literal('sub'), id: z.number(), ok: z.boolean(), code: z.string().optional() }),
  z.object({ op: z.literal('values'), v: z.array(value) }),
  z.object({
    op: z.literal('status'),
    id: z.number(),
    device: z.string(),
    connected: z.boolean(),
    at: z.number().nullable(),
    configurationApplied: z.boolean().optional(),
  }),
  z.looseObject({ op: z.literal('frame'), id: z.number() }),
  z.object({ op: z.literal('end'), id: z.number(), code: z.string() }),
  z.object({ op: z.literal('pong') }),
])
export type ServerMessage = z.output<typeof ServerMessage>
