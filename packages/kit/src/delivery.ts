import { type Kysely, sql } from 'kysely'
import { allLanes, laneBefore } from './lanes.ts'

export type Consumer<DB> = {
  topic: string
  /** Handles waiting events in order; after a failure all of them are delivered again. */
  consume: (payloads: readonly unknown[], tx: Kysely<DB>) => Promise<void>
}

const batch = 100

/**
 * Delivers new events to the consumers of `service`, in the order of their lane. The work of all consumers
 * of a topic and its cursors commit together. A lane of a topic whose consumer fails waits for the next
 * call; the others go on, and the first failure is thrown at the end.
 */
export async function deliver<DB>(
  db: Kysely<DB>,
  service: string,
  consumers: readonly Consumer<DB>[],
) {
  const topics = [...new Set(consumers.map(({ topic }) => topic))]
  if (topics.length === 0) return
  const failures: unknown[] = []
  const failed = new Map<string, Set<number>>()
  for (;;) {
    const waiting = await lanesWithNews(db, service, topics, failed)
    if (waiting.size === 0) break
    for (const [topic, lanes] of waiting) {
      const hearing = consumers.filter((consumer) => consumer.topic === topic)
      const fail = (lane: number, error: unknown) => {
        failures.push(error)
        failed.set(topic, (failed.get(topic) ?? new Set()).add(lane))
      }
      await deliverLanes({ db, service, topic, lanes }, hearing, fail)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Registers `service` as a consumer of these topics, so that events are kept until it has seen them
 * (see `cleanupSeenEvents`).
 */
export async function addCursors<DB>(
  db: Kysely<DB>,
  service: string,
  consumers: readonly Consumer<DB>[],
) {
  const topics = [...new Set(consumers.map(({ topic }) => topic))].toSorted()
  await sql`insert into bus.cursor (service, topic, lane, seen)
    select ${service}, topic, lane, 0 from unnest(${topics}::text[]) topic, ${sql.raw(allLanes)}
    on conflict do nothing`.execute(db)
}

/** Lanes with events that `service` has not seen, by topic in the order asked for, in one query. */
async function lanesWithNews<DB>(
  db: Kysely<DB>,
  service: string,
  topics: readonly string[],
  failed: ReadonlyMap<string, ReadonlySet<number>>,
) {
  const { rows } = await sql<{ topic: string; lane: number }>`
    select asked.topic, lanes.lane
    from unnest(${topics}::text[]) with ordinality as asked(topic, place) cross join ${sql.raw(allLanes)}
    left join bus.cursor c on c.service = ${service} and c.topic = asked.topic and c.lane = lanes.lane
    cross join lateral (select from bus.event e
      where e.topic = asked.topic and e.lane = lanes.lane and e.id > coalesce(c.seen, 0) limit 1) news
    order by asked.place, lanes.lane`.execute(db)
  const waiting = new Map<string, number[]>()
  for (const { topic, lane } of rows) {
    const lanes = waiting.get(topic) ?? []
    // What is older than the lanes comes first, whatever it is about.
    if (lanes[0] === laneBefore || failed.get(topic)?.has(laneBefore)) continue
    if (!failed.get(topic)?.has(lane)) waiting.set(topic, [...lanes, lane])
  }
  return waiting
}

type Batch<DB> = { db: Kysely<DB>; service: string; topic: string; lanes: readonly number[] }

/** Delivers a batch of all lanes in one transaction; when it fails, one of each lane. */
async function deliverLanes<DB>(
  at: Batch<DB>,
  consumers: readonly Consumer<DB>[],
  fail: (lane: number, error: unknown) => void,
) {
  if (at.lanes.length > 1) {
    try {
      return await deliverSome(at, consumers)
    } catch {
      // The lane that failed says why below.
    }
  }
  for (const lane of at.lanes) {
    await deliverSome({ ...at, lanes: [lane] }, consumers).catch((error: unknown) =>
      fail(lane, error),
    )
  }
}

async function deliverSome<DB>(
  { db, service, topic, lanes }: Batch<DB>,
  consumers: readonly Consumer<DB>[],
) {
  return db.transaction().execute(async (tx) => {
    const at = sql`c.service = ${service} and c.topic = ${topic} and c.lane = any(${lanes}::int[])`
    const held = sql`select from bus.cursor c where ${at} order by c.lane for update`
    if ((await held.execute(tx)).rows.length < lanes.length) {
      await sql`insert into bus.cursor (service, topic, lane, seen)
        select ${service}, ${topic}, lane, 0 from unnest(${lanes}::int[]) lane order by lane
        on conflict do nothing`.execute(tx)
      await held.execute(tx)
    }
    const { rows } = await sql<{ id: number; lane: number; payload: unknown }>`
      select news.id, c.lane, news.payload from bus.cursor c cross join lateral (
        select e.id, e.payload from bus.event e
        where e.topic = ${topic} and e.lane = c.lane and e.id > c.seen
        order by e.id limit ${Math.ceil(batch / lanes.length)}) news
      where ${at} order by news.id limit ${batch}`.execute(tx)
    if (rows.length === 0) return // another process delivered them first
    const payloads = rows.map(({ payload }) => payload)
    for (const { consume } of consumers) await consume(payloads, tx)
    const seen = new Map(rows.map(({ lane, id }) => [lane, id]))
    await sql`update bus.cursor c set seen = news.id
      from unnest(${[...seen.keys()]}::int[], ${[...seen.values()]}::bigint[]) as news(lane, id)
      where c.service = ${service} and c.topic = ${topic} and c.lane = news.lane`.execute(tx)
  })
}
