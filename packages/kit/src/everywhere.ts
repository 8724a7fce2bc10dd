import { type QueryExecutorProvider, sql } from 'kysely'
import type { z } from 'zod'
import type { Event } from './contract.ts'
import { allLanes } from './lanes.ts'

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

type Heard = { id: number; lane: number; topic: string; payload: unknown }
type Options = {
  db: QueryExecutorProvider
  effects: readonly Effect[]
  /** Told of an effect that failed and is tried again, or is given up. */
  failed: (error: unknown, about: { topic: string; givenUp: boolean }) => void
}

const atOnce = 100
/** Attempts at the effects of one event; after them the next events of its lane have their turn. */
const mostTries = 5

/** Ears of a process for a service's events: all that come after it was made, in the order of their lane. */
type Ears = { topics: ReadonlySet<string>; hear: () => Promise<void> }

/** Begins to hear; effects of earlier events are in what the process reads from now on. */
export async function openEars({ db, effects, failed }: Options): Promise<Ears> {
  const topics = [...new Set(effects.map(({ topic }) => topic))]
  const seen = topics.length === 0 ? new Map<number, number>() : await newestIds(db, topics)
  const tries = new Map<number, number>()

  const take = async ({ id, lane, topic, payload }: Heard) => {
    try {
      for (const effect of effects) if (effect.topic === topic) await effect.take(payload)
    } catch (error) {
      const times = (tries.get(lane) ?? 0) + 1
      tries.set(lane, times)
      failed(error, { topic, givenUp: times === mostTries })
      if (times < mostTries) throw error
    }
    tries.delete(lane)
    seen.set(lane, id)
  }
  /** Goes on with the other lanes when an effect fails. */
  const hearAll = async () => {
    const failures = new Map<number, unknown>()
    for (;;) {
      const open = [...seen].filter(([lane]) => !failures.has(lane))
      const rows = await eventsAfter(db, topics, new Map(open))
      for (const row of rows) {
        if (failures.has(row.lane)) continue
        await take(row).catch((error: unknown) => void failures.set(row.lane, error))
      }
      if (rows.length < atOnce) break
    }
    for (const error of failures.values()) throw error
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

/** Next events after a number in each lane, in the order of their lane. */
async function eventsAfter(
  db: QueryExecutorProvider,
  topics: readonly string[],
  seen: ReadonlyMap<number, number>,
) {
  const { rows } = await sql<Heard>`
    select news.* from unnest(${[...seen.keys()]}::int[], ${[...seen.values()]}::bigint[]) as heard(lane, id),
      unnest(${topics}::text[]) as asked(topic), lateral (
        select e.id, e.lane, e.topic, e.payload from bus.event e
        where e.topic = asked.topic and e.lane = heard.lane and e.id > heard.id
        order by e.id limit ${atOnce}) news
    order by news.id limit ${atOnce}`.execute(db)
  return rows
}

/** Newest number in each lane; events whose transactions have not ended have negative ones. */
async function newestIds(db: QueryExecutorProvider, topics: readonly string[]) {
  const { rows } = await sql<{ lane: number; id: number }>`
    select lanes.lane, coalesce(max(newest.id), 0) as id
    from ${sql.raw(allLanes)} left join lateral (
      select last.id from unnest(${topics}::text[]) as asked(topic), lateral (
        select e.id from bus.event e
        where e.topic = asked.topic and e.lane = lanes.lane and e.id > 0
        order by e.id desc limit 1) last) newest on true
    group by lanes.lane`.execute(db)
  return new Map(rows.map(({ lane, id }) => [lane, id]))
}
