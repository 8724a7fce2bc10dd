import './schemas-without-eval.ts'
import { z } from 'zod'

/** What a subscription asks for. `device` is `*` for the status of every device; `path` may be `**`. */
export type Wish =
  | { kind: 'values'; device: string; path: string; maxHz?: number }
  | { kind: 'status'; device: string }
  | { kind: 'console'; device: string }

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

/** One name for one thing that is listened to, whatever its rate. */
export const wishKey = (wish: Wish) =>
  wish.kind === 'values' ? `values ${wish.device} ${wish.path}` : `${wish.kind} ${wish.device}`

/**
 * Milliseconds to wait before attempt number `attempt` (from 1): at random between 1 s and twice
 * as long each time, at most 30 s, so that many tabs do not come back in the same moment.
 */
export const reconnectDelayMs = (attempt: number, random: number) =>
  1000 + random * (Math.min(30_000, 1000 * 2 ** attempt) - 1000)
