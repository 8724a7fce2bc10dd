import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { z } from 'zod'
import type { Event } from './contract.ts'
import type { Consumer } from './delivery.ts'
import type { EventRow } from './event-rows.ts'
import { addPublishedTopic } from './immediate-events.ts'
import { laneOf } from './lanes.ts'
import { writeAtCommit } from './publishing-dialect.ts'

export { createBus } from './bus-tables.ts'
export { addCursors, type Consumer, deliver } from './delivery.ts'

/**
 * SQL for a number that every commit with an event of some topics (a text array) raises. Data read before
 * it is still valid while the number is the same. It is the sum of the newest number of each lane, as a
 * transaction of another lane may commit later with a lower number. It costs a look-up for each lane
 * that a topic uses.
 */
export const newestEvent = (topics: string) => `(
  with recursive newest as (
    select asked.topic, last.lane, last.id from unnest(${topics}) as asked(topic), lateral (
      select e.lane, e.id from bus.event e where e.topic = asked.topic
      order by e.lane desc, e.id desc limit 1) last
    union all
    select newest.topic, last.lane, last.id from newest, lateral (
      select e.lane, e.id from bus.event e where e.topic = newest.topic and e.lane < newest.lane
      order by e.lane desc, e.id desc limit 1) last)
  select coalesce(sum(newest.id), 0)::bigint from newest)`

/**
 * Publishes an event in the caller's transaction, so that both commit together. Within the transaction it is
 * not in the table yet.
 */
export const publish = <T extends z.ZodType>(
  tx: QueryExecutorProvider,
  event: Event<T>,
  value: z.input<T>,
) => publishAll(tx, event, [value])

/** Publishes several events of one kind. */
export async function publishAll<T extends z.ZodType>(
  tx: QueryExecutorProvider,
  event: Event<T>,
  values: readonly z.input<T>[],
) {
  if (values.length === 0) return
  await writeAtCommit(
    tx,
    event.topic,
    values.map((value) => toRow(event, value)),
  )
  addPublishedTopic(event.topic)
}

function toRow<T extends z.ZodType>(event: Event<T>, value: z.input<T>): EventRow {
  const parsed = event.payload.parse(value)
  return { topic: event.topic, json: JSON.stringify(parsed), lane: laneOf(event, parsed) }
}

/**
 * Events of one kind from the last `withinMs`, in order, for a process that needs them all when it
 * starts. Events are kept for at least a day (`deleteSeenEvents`), so longer times miss some.
 */
export async function recentEvents<T extends z.ZodType>(
  db: QueryExecutorProvider,
  { topic, payload }: Event<T>,
  withinMs: number,
): Promise<z.output<T>[]> {
  const { rows } = await sql<{ payload: unknown }>`
    select payload from bus.event
    where topic = ${topic} and at > now() - make_interval(secs => ${withinMs / 1000})
    order by id`.execute(db)
  return rows.map((row) => payload.parse(row.payload))
}

/** Consumer that gets one event at a time. */
export const on = <DB, T extends z.ZodType>(
  event: Event<T>,
  consume: (value: z.output<T>, tx: Kysely<DB>) => Promise<void>,
): Consumer<DB> =>
  onMany(event, async (values, tx) => {
    for (const value of values) await consume(value, tx)
  })

/** Consumer that gets up to 100 waiting events at once, for work that is cheaper in batches. */
export const onMany = <DB, T extends z.ZodType>(
  { topic, payload }: Event<T>,
  consume: (values: z.output<T>[], tx: Kysely<DB>) => Promise<void>,
): Consumer<DB> => ({
  topic,
  consume: (values, tx) =>
    consume(
      values.map((value) => payload.parse(value)),
      tx,
    ),
})
