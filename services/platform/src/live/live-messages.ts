import { z } from 'zod'
import { pathPattern } from '../queries/path-pattern-contract.ts'

const id = z.int()
const token = z.string().max(16_000)

/** Paths in one list, and in all lists of one socket. */
const mostPaths = { list: 2_000, socket: 20_000 }
const paths = z.array(z.string().min(1).max(2_000)).max(mostPaths.list)

/** Message of a client to its live socket. */
export const ClientMessage = z.discriminatedUnion('op', [
  z.object({ op: z.literal('hello'), token, organization: z.string().max(500) }),
  z.object({ op: z.literal('token'), token }),
  z.object({
    op: z.literal('sub'),
    id,
    kind: z.string().max(100),
    /** Id of a device, or `*` for all; `inbox` has none. */
    device: z.string().max(100).default('*'),
    path: pathPattern.default('**'),
    /** Of `values`: exact paths in place of the pattern; `more` changes them. */
    paths: paths.optional(),
    /** Rows of a list of paths hold the index of the path in place of its text. */
    index: z.boolean().default(false),
    maxHz: z.number().positive().max(20).default(20),
    /** Of `alarms` for all devices: also those of organizations below. */
    below: z.boolean().default(false),
  }),
  /** Paths that join the list of a subscription, with the next indexes, and paths that leave it. */
  z.object({ op: z.literal('more'), id, add: paths.default([]), drop: paths.default([]) }),
  z.object({ op: z.literal('unsub'), id }),
  z.object({ op: z.literal('ping') }),
])
export type ClientMessage = z.output<typeof ClientMessage>
export type SubscribeMessage = Extract<ClientMessage, { op: 'sub' }>
export type MoreMessage = Extract<ClientMessage, { op: 'more' }>

const kinds = ['values', 'status', 'console', 'alarms', 'inbox'] as const
export type Subscribe = SubscribeMessage & { kind: (typeof kinds)[number] }

/** True for kinds of subscriptions that a socket offers; another kind is refused, and the socket stays open. */
export const isOffered = (wish: SubscribeMessage): wish is Subscribe =>
  kinds.some((kind) => kind === wish.kind)

/** Close codes of the live socket: who is it, may they, and what was that. */
export const closeCode = {
  notSignedIn: 4401,
  notAllowed: 4403,
  badMessage: 4400,
  tooMany: 4429,
} as const

export const liveLimits = {
  sockets: 5_000,
  /** Of one session, of one network, and of one network without a hello. */
  perSession: 20,
  perNetwork: 200,
  ungreeted: 50,
  subscriptions: 500,
  paths: mostPaths.list,
  pathsOfSocket: mostPaths.socket,
  helloMs: 5_000,
  /** Bytes that the client has not read; beyond it only the latest values are kept. */
  unread: 256 * 1024,
  /** Bytes of answers that the client has not read; beyond it the socket is dropped. */
  unreadAnswers: 2 * 1024 * 1024,
  messageBytes: 64 * 1024,
  /** Messages of the client that are not handled yet. */
  waiting: 2_000,
  /** Frames of the console that wait for a slow reader. */
  frames: 500,
}
export type LiveLimits = typeof liveLimits
