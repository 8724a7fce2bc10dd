import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BodyRoom, bodyLimits, largestBodyOf } from './body-room.ts'
import type { Endpoint } from './contract.ts'
import { AppError } from './errors.ts'
import { networkOf } from './network-of.ts'
import type { Caller, CallerCtx } from './service.ts'
import type { Turns } from './turns.ts'

/** Key for limits: the person, or the network of a caller who is not signed in. */
const keyOf = ({ kind, realm, sub }: Caller, ip: string) =>
  kind === 'nobody' ? `network ${networkOf(ip)}` : `${kind} ${realm}/${sub}`

type Sent = { caller: Caller; endpoint: Endpoint }

/**
 * Reserves memory for a body until its call is answered. Calls between services are not limited.
 */
export function holdRoom(
  rooms: BodyRoom,
  { headers, ip }: FastifyRequest,
  reply: FastifyReply,
  { caller, endpoint }: Sent,
) {
  if (caller.kind === 'service') return
  const limit = largestBodyOf(endpoint)
  // Without a content length the largest accepted body is reserved.
  const bytes = Number(headers['content-length'] ?? limit)
  if (bytes > limit) throw tooLarge(limit)
  const most = caller.kind === 'nobody' ? bodyLimits.perStranger : bodyLimits.perPerson
  whenAnswered(reply, rooms.take(keyOf(caller, ip), bytes, most))
}

function tooLarge(limit: number) {
  const message = `The body of this call may have at most ${limit} bytes. Send less.`
  return new AppError(413, 'request.too_large', { message, field: 'body', limit })
}

/** Waits for a turn of a costly call and holds it until the answer is sent. */
export async function holdTurn(turns: Turns, ctx: CallerCtx, reply: FastifyReply) {
  if (ctx.caller.kind === 'service') return
  whenAnswered(reply, await turns.take(keyOf(ctx.caller, ctx.ip), ctx.signal))
}

function whenAnswered({ raw }: FastifyReply, release: () => void) {
  if (raw.destroyed) return release()
  raw.once('finish', release)
  raw.once('close', release)
}
