import { type QueryExecutorProvider, sql } from 'kysely'
import type { z } from 'zod'
import type { Event } from './contract.ts'

/** Effect of an event on what a process holds itself: its memory, its open connections. */
export type Effect = { topic: string; take: (payload: unknown) => Promise<void> | void }

/**
 * Effect that every process has, where the work of `on` is done by one of them. It may come before or
 * after that work, and more than once: it uses what the event says or what its transaction wrote.
 */
export const everywhere = <T extends z.ZodType>(
  { topic, payload }: Event<T>,
  take: (value: z.output<T>) => Promise<void> | void,
): Effect => ({ topic, take: (value) => take(payload.parse(value)) })

type Heard = { id: number; topic: string; payload: unknown }
type Options = {
  db: QueryExecutorProvider
  effects: readonly Effect[]
  /** Told of an effect that failed and is tried again, or is given up. */
  failed: (error: unknown, about: { topic: string; givenUp: boolean }) => void
}

const atOnce = 100
/** Attempts at the effects of one event; after them the next events have their turn. */
const mostTries = 5

/** Ears of a process for a service's events: all that come after it was made, in their order. */
type Ears = { topics: ReadonlySet<string>; hear: () => Promise<void> }

/** Begins to hear; effects of earlier events are in what the process reads from now on. */
export async function openEars({ db, effects, failed }: Options): Promise<Ears> {
  const topics = [...new Set(effects.map(({ topic }) => topic))]
  let seen = topics.length === 0 ? 0 : await newestId(db)
  let tries = 0

  const take = async ({ id, topic, payload }: Heard) => {
    try {
      for (const effect of effects) if (effect.topic === topic) await effect.take(payload)
    } catch (error) {
      tries += 1
      failed(error, { topic, givenUp: tries === mostTries })
      if (tries < mostTries) throw error
    }
    tries = 0
    seen = id
  }
  const hearAll = async () => {
    for (;;) {
      const { rows } = await sql<Heard>`select id, topic, payload from bus.event
        where topic = any(${topics}) and id > ${seen} order by id limit ${atOnce}`.execute(db)
      for (const row of rows) await take(row)
      if (rows.length < atOnce) return
    }
  }
  let busy = Promise.resolve()
  return {
    topics: new Set(topics),
    /** Takes what came since the last time; one run after the other. */
    hear() {
      if (topics.length === 0) return busy
      const mine = busy.then(hearAll)
      busy = mine.catch(() => undefined) // its own caller gets the error
      return mine
    },
  }
}

/** Number of the newest event; events whose transactions have not ended have negative ones. */
async function newestId(db: QueryExecutorProvider) {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(id), 0) as id from bus.event where id > 0`.execute(db)
  return rows[0]?.id ?? 0
}
