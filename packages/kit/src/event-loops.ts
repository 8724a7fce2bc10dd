import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { busChannel } from './announcements.ts'
import { createNewsCheck } from './new-events.ts'
import type { Running } from './service.ts'

/** Work that waits for events. Each loop has a turn of its own: one that is slow or fails holds up no other. */
export type EventLoop = {
  /** For the log when the work fails. */
  name: string
  /** Topics after which there is work; a loop without them has work after each. */
  topics?: ReadonlySet<string>
  /** It also takes jobs of ended processes, which nobody announces: they are looked for each second. */
  takesJobs?: true
  /** Is given the topics that were announced, or nothing when it has to look at all. */
  work: (announced?: ReadonlySet<string>) => Promise<unknown>
}

/** Topic that stands for any event: the connection for announcements was interrupted. */
export const missedEvents = '*'

type Options = { pool: Pool; log: FastifyBaseLogger; onEvent?: (topic: string) => void }

/** Turns the loops when the database announces an event, and each second for what was not announced. */
export function startEventLoops(
  { pool, log, onEvent }: Options,
  loops: readonly EventLoop[],
): Running {
  const turning = loops.map((loop) => turn(loop, log))
  const announcements = hearAnnouncements(pool, (topic) => {
    onEvent?.(topic)
    for (const { hears, wake } of turning) {
      if (topic === missedEvents) wake()
      else if (hears(topic)) wake(topic)
    }
  })
  const look = createNewsCheck(pool)
  let checking: Promise<void> | undefined
  const wakeAfterNews = async () => {
    const { hasEvents, hasJobs } = await look()
    for (const { takesJobs, wake } of turning) if (hasEvents || (hasJobs && takesJobs)) wake()
  }
  const tick = () => {
    announcements
      .listen()
      .catch((error: unknown) => log.warn(error, 'no connection for events yet'))
    for (const { isBehind, wake } of turning) if (isBehind()) wake()
    checking ??= wakeAfterNews()
      .catch((error: unknown) => log.warn(error, 'new events could not be looked up'))
      .finally(() => (checking = undefined))
  }
  tick()
  const timer = setInterval(tick, 1_000)
  return {
    async close() {
      clearInterval(timer)
      await checking
      for (const one of turning) await one.close()
      announcements.close()
    },
  }
}

/** One run at a time; of those that are asked for meanwhile one follows. */
function turn({ name, topics, takesJobs, work }: EventLoop, log: FastifyBaseLogger) {
  let closed = false
  let next: Set<string> | 'all' | undefined
  let hasFailed = false
  let busy = Promise.resolve()
  const run = async () => {
    const asked = next
    next = undefined
    try {
      await work(asked === 'all' ? undefined : asked)
      if (asked === 'all') hasFailed = false
    } catch (error) {
      hasFailed = true
      log.error(error, `${name}: events could not be delivered`)
    }
  }
  return {
    takesJobs,
    hears: (topic: string) => topics === undefined || topics.has(topic),
    /** There may be work that no new event announces. */
    isBehind: () => topics === undefined || hasFailed,
    wake(topic?: string) {
      if (closed) return
      const isPlanned = next !== undefined
      if (topic === undefined || next === 'all') next = 'all'
      else next = (next ?? new Set()).add(topic)
      if (!isPlanned) busy = busy.then(run)
    },
    async close() {
      closed = true
      await busy
    },
  }
}

/** Connection over which the database announces events; a broken one is replaced by the next `listen`. */
function hearAnnouncements(pool: Pool, tell: (topic: string) => void) {
  let closed = false
  let listener: { release: (destroy?: boolean) => void } | undefined
  const drop = (connection: typeof listener) => {
    if (!connection || listener !== connection) return
    listener = undefined
    connection.release(true)
  }
  return {
    async listen() {
      if (listener || closed) return
      const connection = await pool.connect()
      if (closed || listener) return connection.release(true)
      listener = connection
      connection.on('error', () => drop(connection))
      connection.on('notification', ({ payload }) => tell(payload ?? ''))
      await connection.query(`listen ${busChannel}`).catch((error: unknown) => {
        drop(connection)
        throw error
      })
      // Events during the interruption are not announced again.
      tell(missedEvents)
    },
    close() {
      closed = true
      drop(listener)
    },
  }
}
