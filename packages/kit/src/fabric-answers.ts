import type { z } from 'zod'
import { AppError } from './errors.ts'
import type { CallSubject } from './fabric-contract.ts'
import { callHeadIn, failedFrame, toFrame, toRefusedFrame, valueIn } from './fabric-frame.ts'
import { type FabricLog, seldom, whyRefused } from './fabric-log.ts'
import type { FabricPlace } from './fabric-place.ts'
import type { Wire } from './fabric-wire.ts'

/** Facts of a call beside its request. */
type CallAbout = {
  /** The same for a repeated call. */
  id: string
  /** Time until which the caller waits, in ms since 1970. */
  until: number
}
type CallHandler<Q, A> = (request: Q, about: CallAbout) => Promise<A> | A

/**
 * Difference of two processes' clocks that is allowed for. A call that comes later than this after
 * its caller gave up is not carried out: it may have waited in a server that hung.
 */
const clockToleranceMs = 2_000

type Options = { place: FabricPlace; log: FabricLog; now: () => number; refused: () => void }

/** Longest time for which closing waits for calls that still run. */
const closingMs = 5_000

/** Subjects that this process answers, for itself and over the wire. */
export function createAnswers(wire: Wire | undefined, options: Options) {
  const answers = new Map<string, Answer & { stop: () => Promise<void> }>()
  return {
    get: (name: string) => answers.get(name),
    add<Q extends z.ZodType, A extends z.ZodType>(
      subject: CallSubject<Q, A>,
      handler: CallHandler<z.output<Q>, z.input<A>>,
    ): () => void {
      const name = options.place.one(subject)
      if (answers.has(name)) throw new Error(`${name} is answered already`)
      const answer = createAnswer(subject, handler, options)
      const stop = wire?.answer(name, answer.take) ?? (async () => undefined)
      answers.set(name, { ...answer, stop })
      return () => {
        answers.delete(name)
        void stop()
      }
    },
    /** Takes no more calls, and ends when those that run have their replies. */
    async close() {
      const ending = [...answers.values()].map(({ stop, finished }) => stop().then(finished))
      answers.clear()
      const { promise: tooLong, resolve: end } = Promise.withResolvers<void>()
      const timer = setTimeout(end, closingMs)
      await Promise.race([Promise.all(ending), tooLong])
      clearTimeout(timer)
    },
  }
}

/** Answer side of one subject: frames of calls in, frames of replies out. */
function createAnswer<Q extends z.ZodType, A extends z.ZodType>(
  { subject, request, reply, reads }: CallSubject<Q, A>,
  handler: CallHandler<z.output<Q>, z.input<A>>,
  { log, now, refused }: Options,
) {
  const replies = createReplies(now)
  const running = new Set<Promise<unknown>>()
  const refusal = seldom()
  const refuse = (error: unknown) => {
    refused()
    const why = whyRefused(error)
    refusal((count) => log.warn({ subject, count, why }, 'a call was refused'))
    return failedFrame
  }
  const carryOut = async (frame: Uint8Array, about: CallAbout) => {
    const asked = request.safeParse(valueIn(frame))
    if (!asked.success) return refuse(asked.error)
    try {
      return ownMemory(toFrame(reply.parse(await handler(asked.data, about))))
    } catch (error) {
      if (error instanceof AppError) return ownMemory(toRefusedFrame(error))
      log.error({ err: error, subject, call: about.id }, 'a call from another process failed')
      return failedFrame
    }
  }
  return {
    /** Reply to a call; a repeated one gets the reply of the first. Never rejects. */
    async take(frame: Uint8Array): Promise<Uint8Array> {
      try {
        const { id, until } = callHeadIn(frame)
        if (now() > until + clockToleranceMs)
          return refuse(new Error('it came too late, or the clocks of the processes differ'))
        const known = replies.get(id)
        if (known) return await known
        const made = carryOut(frame, { id, until })
        if (!reads) replies.add(id, made)
        running.add(made)
        return await made.finally(() => running.delete(made))
      } catch (error) {
        return refuse(error)
      }
    },
    /** Ends when the calls that run have their replies. */
    async finished() {
      await Promise.allSettled(running)
    },
  }
}

/** Copy of a frame outside of Buffer's pool: a kept reply would keep all that shares its part of it. */
const ownMemory = (frame: Uint8Array) => new Uint8Array(frame)

type Answer = ReturnType<typeof createAnswer>

const keptMs = 60_000
const mostKept = { calls: 50_000, bytes: 16 * 1024 * 1024 }

/**
 * Replies of the last minute or two by the id of their call; of a shorter time when there are more than
 * 50,000 calls or 16 MiB in a minute.
 */
function createReplies(now: () => number) {
  const fresh = () => ({ kept: new Map<string, Promise<Uint8Array>>(), bytes: 0, since: now() })
  let present = fresh()
  let before = present
  const isFull = ({ kept, bytes, since }: typeof present) =>
    now() - since > keptMs || kept.size >= mostKept.calls || bytes > mostKept.bytes
  return {
    get: (id: string) => present.kept.get(id) ?? before.kept.get(id),
    add(id: string, reply: Promise<Uint8Array>) {
      if (isFull(present)) {
        before = present
        present = fresh()
      }
      const mine = present
      mine.kept.set(id, reply)
      // A reply that fails is refused where it is taken.
      reply.then(
        ({ length }) => (mine.bytes += length),
        () => undefined,
      )
    },
  }
}
