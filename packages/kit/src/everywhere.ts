import { type QueryExecutorProvider, sql } from 'kysely'
import type { z } from 'zod'
import type { Event } from './contract.ts'
import { laneCount } from './lanes.ts'

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
type Ears = {
  topics: ReadonlySet<string>
  /** Takes what came since the last time, or what came in the lanes in which these topics have news. */
  hear: (announced?: ReadonlySet<string>) => Promise<void>
}

/** Begins to hear; effects of earlier events are in what the process reads from now on. */
export async function openEars({ db, effects, failed }: Options): Promise<Ears> {
  const topics = [...new Set(effects.map(({ topic }) => topic))]
  const seen = topics.length === 0 ? [] : await newestIds(db, topics)
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
    seen[lane] = id
  }
  /** Goes on with the other lanes when an effect fails. */
  const hearIn = async (lanes: ReadonlySet<number>) => {
    const failures = new Map<number, unknown>()
    const isOpen = (lane: number) => lanes.has(lane) && !failures.has(lane)
    for (let more = lanes.size > 0; more;) {
      const open = seen.map((id, lane) => (isOpen(lane) ? id : null))
      const rows = await eventsAfter(db, topics, open)
      for (const row of rows) {
        if (failures.has(row.lane)) continue
        await take(row).catch((error: unknown) => void failures.set(row.lane, error))
      }
      more = rows.length === atOnce
    }
    for (const error of failures.values()) throw error
  }
  const hearNews = async (announced: ReadonlySet<string> = new Set()) => {
    const [topic, second] = topics.filter((one) => announced.has(one))
    const isOne = topic !== undefined && second === undefined
    await hearIn(new Set(isOne ? await lanesOfTopic(db, topic, seen) : seen.keys()))
  }
  let busy = Promise.resolve()
  return {
    topics: new Set(topics),
    hear(announced) {
      if (topics.length === 0) return busy
      const mine = busy.then(() => hearNews(announced)) // one run after the other
      busy = mine.catch(() => undefined) // its own caller gets the error
      return mine
    },
  }
}

/** Number of the newest event heard in each lane; null for a lane that is not asked for. */
type Seen = readonly (number | null)[]

const heardBefore = (seen: Seen) =>
  sql`unnest(${seen}::bigint[]) with ordinality as heard(id, place)`
/** Topics as constants, so that the statement is planned once. */
const toRows = (topics: readonly string[]) =>
  sql`unnest(array[${sql.join(topics.map((topic) => sql.lit(topic)))}]) as asked(topic)`

/** Next events after a number in each lane, in the order of their lane. */
async function eventsAfter(db: QueryExecutorProvider, topics: readonly string[], seen: Seen) {
  const { rows } = await sql<Heard>`
    select news.* from ${heardBefore(seen)}, ${toRows(topics)}, lateral (
      select e.id, e.lane, e.topic, e.payload from bus.event e
      where e.topic = asked.topic and e.lane = (place - 1)::smallint and e.id > heard.id
      order by e.id limit ${sql.lit(atOnce)}) news
    order by news.id limit ${sql.lit(atOnce)}`.execute(db)
  return rows
}

/** Lanes in which a topic has events after the number that was heard there. */
async function lanesOfTopic(db: QueryExecutorProvider, topic: string, seen: Seen) {
  const { rows } = await sql<{ lane: number }>`
    select (place - 1)::smallint as lane from ${heardBefore(seen)}, lateral (
      select from bus.event e
      where e.topic = ${topic} and e.lane = (place - 1)::smallint and e.id > heard.id
      order by e.id limit 1) news`.execute(db)
  return rows.map(({ lane }) => lane)
}

/** Newest number in each lane; events whose transactions have not ended have negative ones. */
async function newestIds(db: QueryExecutorProvider, topics: readonly string[]) {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(newest.id), 0) as id
    from generate_series(0, ${sql.lit(laneCount - 1)}) as lane left join lateral (
      select last.id from ${toRows(topics)}, lateral (
        select e.id from bus.event e
        where e.topic = asked.topic and e.lane = lane::smallint and e.id > 0
        order by e.id desc limit 1) last) newest on true
    group by lane order by lane`.execute(db)
  return rows.map(({ id }) => id)
}
