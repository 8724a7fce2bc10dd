import { type Kysely, sql } from 'kysely'
import { laneAt, laneBefore, placeOfLane } from './lanes.ts'

export type Consumer<DB> = {
  topic: string
  /** Handles waiting events in order; after a failure all of them are delivered again. */
  consume: (payloads: readonly unknown[], tx: Kysely<DB>) => Promise<void>
}

const batch = 100
/** Batches of a topic that follow one another while other topics wait. */
const mostBatches = 5

/**
 * Delivers new events to the consumers of `service`, in the order of their lane. The work of all consumers
 * of a topic and its cursor commit together. A lane of a topic whose consumer fails waits for the next
 * call; the others go on, and the first failure is thrown at the end. With `announced` only these topics
 * are looked up.
 */
export async function deliver<DB>(
  db: Kysely<DB>,
  service: string,
  consumers: readonly Consumer<DB>[],
  announced?: ReadonlySet<string>,
) {
  const failures: unknown[] = []
  const failed = new Map<string, Set<number>>()
  const news = (topics: readonly string[]) => lanesWithNews(db, service, topics, failed)
  const topics = new Set(consumers.map(({ topic }) => topic))
  const all = [...topics].filter((topic) => !announced || announced.has(topic))
  let waiting = await news(all)
  while (waiting.size > 0) {
    for (const [topic, lanes] of waiting) {
      const hearing = consumers.filter((consumer) => consumer.topic === topic)
      const fail = (lane: number, error: unknown) => {
        failures.push(error)
        failed.set(topic, (failed.get(topic) ?? new Set()).add(lane))
      }
      await deliverLanes({ db, service, topic, lanes }, hearing, fail)
    }
    waiting = await news(all)
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Registers `service` as a consumer of these topics, so that events are kept until it has seen them
 * (see `cleanupSeenEvents`).
 */
export async function addCursors<DB>(db: Kysely<DB>, service: string, topics: readonly string[]) {
  const all = [...new Set(topics)].toSorted()
  await sql`insert into bus.cursor (service, topic) select ${service}, unnest(${all}::text[])
    on conflict do nothing`.execute(db)
}

/** Lanes with events that `service` has not seen, by topic in the order asked for. */
async function lanesWithNews<DB>(
  db: Kysely<DB>,
  service: string,
  topics: readonly string[],
  failed: ReadonlyMap<string, ReadonlySet<number>>,
) {
  const waiting = new Map<string, number[]>()
  const news = await newsOf(db, service, topics)
  for (const topic of topics) {
    const lanes = news.get(topic) ?? []
    const held = failed.get(topic)
    // What is older than the lanes comes first, whatever it is about.
    const next = lanes[0] === laneBefore ? [laneBefore] : lanes
    const open = held?.has(laneBefore) ? [] : next.filter((lane) => !held?.has(lane))
    if (open.length > 0) waiting.set(topic, open)
  }
  return waiting
}

/**
 * Lanes with news by topic, in one query. It asks for one topic or for all of the service: a list of unknown
 * length would be planned each time.
 */
async function newsOf<DB>(db: Kysely<DB>, service: string, topics: readonly string[]) {
  const [first, second] = topics
  if (first === undefined) return new Map<string, number[]>()
  const only = second === undefined ? sql`and c.topic = ${first}` : sql``
  const { rows } = await sql<{ topic: string; lanes: number[] }>`
    select c.topic, array(
      select ${lane} from unnest(c.seen) with ordinality as each(seen, place), lateral (
        select from bus.event e where e.topic = c.topic and e.lane = ${lane} and e.id > each.seen
        order by e.id limit 1) news
      order by place) as lanes
    from bus.cursor c where c.service = ${service} ${only}`.execute(db)
  const news = new Map(rows.map(({ topic, lanes }) => [topic, lanes]))
  if (topics.every((topic) => news.has(topic))) return news
  await addCursors(db, service, topics)
  return newsOf(db, service, topics)
}

const lane = sql.raw(laneAt('place'))

type Batch<DB> = { db: Kysely<DB>; service: string; topic: string; lanes: readonly number[] }

/** Delivers batches of all lanes, each in one transaction; when one fails, those of each lane. */
async function deliverLanes<DB>(
  at: Batch<DB>,
  consumers: readonly Consumer<DB>[],
  fail: (lane: number, error: unknown) => void,
) {
  try {
    for (let more = mostBatches; more > 0; more -= 1) {
      if ((await deliverSome(at, consumers)) < batch) return
    }
  } catch (error) {
    const [first, second] = at.lanes
    if (first !== undefined && second === undefined) return fail(first, error)
    for (const of of at.lanes) await deliverLanes({ ...at, lanes: [of] }, consumers, fail)
  }
}

const deliverSome = <DB>(at: Batch<DB>, consumers: readonly Consumer<DB>[]) =>
  at.db.transaction().execute(async (tx) => {
    // In a statement of its own, so that the next one sees what another process has committed.
    await sql`select from bus.cursor where service = ${at.service} and topic = ${at.topic}
      for update`.execute(tx)
    const payloads = await takeSome(tx, at)
    // There are none when another process delivered them first.
    if (payloads.length > 0) for (const { consume } of consumers) await consume(payloads, tx)
    return payloads.length
  })

/** Takes the next events, of each lane an equal share, and moves the cursor behind them. */
async function takeSome<DB>(tx: Kysely<DB>, { service, topic, lanes }: Batch<DB>) {
  const share = sql.lit(Math.ceil(batch / lanes.length))
  const places = lanes.reduce((bits, one) => bits | (1 << placeOfLane(one)), 0)
  const own = sql`c.service = ${service} and c.topic = ${topic}`
  const { rows } = await sql<{ payload: unknown }>`
    with news as (
      select e.id, each.place, e.payload from bus.cursor c,
        unnest(c.seen) with ordinality as each(seen, place), lateral (
          select e.id, e.payload from bus.event e
          where e.topic = c.topic and e.lane = ${lane} and e.id > each.seen
          order by e.id limit ${share}) e
      where ${own} and ${places}::int & (1 << place::int) <> 0
      order by e.id limit ${sql.lit(batch)}
    ), newest as (select place, max(id) as id from news group by place
    ), moved as (
      update bus.cursor c set seen = (
        select array_agg(coalesce(newest.id, each.seen) order by place)
        from unnest(c.seen) with ordinality as each(seen, place) left join newest using (place))
      where ${own} and exists (select from news)
    )
    select payload from news order by id`.execute(tx)
  return rows.map(({ payload }) => payload)
}
