import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { createAnswers } from './fabric-answers.ts'
import type { CallSubject, ToldSubject } from './fabric-contract.ts'
import { replyIn, toFrame } from './fabric-frame.ts'
import { createHearing } from './fabric-hearing.ts'
import { type FabricLog, seldom, whyRefused } from './fabric-log.ts'
import { placeOf } from './fabric-place.ts'
import { NoAnswer, type Wire } from './fabric-wire.ts'

type Options = {
  /** Id of the installation (`bus.instance.id`); messages of others on the same wire are not heard. */
  instance: string
  log: FabricLog
  /** Way to other processes; without it this process is alone. */
  wire?: Wire
  now?: () => number
}

type CallOptions = {
  deadlineMs: number
  /** Id of a call that is repeated: the process that answers carries it out once. */
  id?: string
}

/**
 * Messages between the processes of one installation: calls with one answer, and messages to all
 * that hear them. Nothing is stored, and a message carries no right.
 */
export function createFabric({ instance, log, wire, now = Date.now }: Options) {
  const figures = { droppedTold: 0, droppedHeard: 0, refused: 0 }
  const place = placeOf(instance)
  const refused = () => void (figures.refused += 1)
  const dropped = () => void (figures.droppedHeard += 1)
  const answers = createAnswers(wire, { place, log, now, refused })
  const hearing = createHearing(wire, { place, log, refused, dropped })
  const notTold = seldom()
  let isClosed = false

  const ask = async (name: string, frame: Uint8Array, withinMs: number) => {
    if (isClosed) throw new NoAnswer(name, 'away', false)
    const own = answers.get(name)
    if (own) return inTime(name, own.take(frame), withinMs)
    if (!wire) throw new NoAnswer(name, 'nobody', false)
    return wire.ask(name, frame, withinMs)
  }

  return {
    /**
     * Reply of the one process that answers the subject. Throws its `AppError`, or `NoAnswer`; any
     * other error there is one here, without its text.
     */
    async call<Q extends z.ZodType, A extends z.ZodType>(
      subject: CallSubject<Q, A>,
      request: z.input<Q>,
      { deadlineMs, id = randomUUID() }: CallOptions,
    ): Promise<z.output<A>> {
      const name = place.one(subject)
      const frame = toFrame(subject.request.parse(request), { id, until: now() + deadlineMs })
      const reply = replyIn(await ask(name, frame, deadlineMs))
      if (!reply) throw new Error(`${name} failed; the process that answers it logged the reason`)
      const read = subject.reply.safeParse(reply.value)
      if (read.success) return read.data
      refused()
      throw new Error(`${name}: unusable reply: ${whyRefused(read.error)}`)
    },

    /** Takes the calls of a subject, for which no other process may do so; returns how to stop. */
    answer: answers.add,

    /** Tells all that hear the subject, in other processes and in this one; never waits. */
    tell<M extends z.ZodType>(subject: ToldSubject<M>, message: z.input<M>): void {
      const name = place.one(subject)
      const parsed = subject.message.parse(message)
      if (isClosed || (!wire && !hearing.isHeard(name))) return
      const frame = toFrame(parsed)
      hearing.push(name, frame)
      if (!wire || wire.tell({ subject: name, live: subject.live === true }, frame)) return
      figures.droppedTold += 1
      notTold((count) => log.warn({ subject: name, count }, 'messages could not be told'))
    },

    /**
     * Takes the messages of a subject, or of all subjects of a family, one after the other; returns
     * how to stop. Of those that wait it keeps the newest that fit.
     */
    hear: hearing.add,

    /** Ends when calls and messages of other processes reach what is answered and heard here. */
    async subscribed() {
      await wire?.subscribed()
    },

    /** True while messages do not reach other processes, because a connection to NATS is interrupted. */
    isInterrupted: () => wire?.links().some(({ server }) => server === undefined) ?? false,

    /** Numbers since the start, and the servers in use. */
    figures: () => ({ ...figures, links: wire?.links() ?? [] }),

    /** Takes nothing more, lets the calls that run here end, and disconnects. */
    async close() {
      isClosed = true
      hearing.close()
      await answers.close()
      await wire?.close()
    },
  }
}
export type Fabric = ReturnType<typeof createFabric>

async function inTime(name: string, reply: Promise<Uint8Array>, withinMs: number) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new NoAnswer(name, 'late', true)), withinMs)
  try {
    return await Promise.race([reply, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
