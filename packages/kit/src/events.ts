import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { z } from 'zod'
import type { Event } from './contract.ts'
import { addPublishedTopic } from './immediate-events.ts'

/** PostgreSQL channel that announces new events. */
export const busChannel = 'longreach_bus'

/**
 * SQL for the number of the newest event of some topics (a text array). Data read before it is
 * still valid while the number is the same.
 */
export const newestEvent = (topics: string) => `(
  select coalesce(max(newest.id), 0) from unnest(${topics}) as asked(topic), lateral (
    select e.id from bus.event e where e.topic = asked.topic order by e.id desc limit 1) newest)`

/** Publishes an event in the caller's transaction, so that both commit together. */
export async function publish<T extends z.ZodType>(
  tx: QueryExecutorProvider,
  { topic, payload }: Event<T>,
  value: z.input<T>,
) {
  const json = JSON.stringify(payload.parse(value))
  await sql`with told as (
      insert into bus.event (topic, payload) values (${topic}, ${json}) returning topic)
    select pg_notify(${busChannel}, topic) from told`.execute(tx)
  addPublishedTopic(topic)
}

/** Publishes several events of one kind in one statement. */
export async function publishAll<T extends z.ZodType>(
  tx: QueryExecutorProvider,
  { topic, payload }: Event<T>,
  values: readonly z.input<T>[],
) {
  if (values.length === 0) return
  const texts = values.map((value) => JSON.stringify(payload.parse(value)))
  await sql`insert into bus.event (topic, payload)
    select ${topic}, one::jsonb from unnest(${texts}::text[]) with ordinality as each(one, place)
    order by place`.execute(tx)
  await sql`select pg_notify(${busChannel}, ${topic})`.execute(tx)
  addPublishedTopic(topic)
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

export type Consumer<DB> = {
  topic: string
  /** Handles waiting events in order; after a failure all of them are delivered again. */
  consume: (payloads: readonly unknown[], tx: Kysely<DB>) => Promise<void>
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

/**
 * Delivers new events to the consumers of `service`, in order. The work of all consumers of a topic
 * and its cursor commit together.
 */
export async function deliver<DB>(
  db: Kysely<DB>,
  service: string,
  consumers: readonly Consumer<DB>[],
) {
  const topics = [...new Set(consumers.map(({ topic }) => topic))]
  if (topics.length === 0) return
  for (;;) {
    const waiting = await topicsWithNews(db, service, topics)
    if (waiting.size === 0) return
    for (const topic of topics) {
      const hearing = consumers.filter((consumer) => consumer.topic === topic)
      if (waiting.has(topic)) await deliverSome(db, { service, topic }, hearing)
    }
  }
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
  await sql`insert into bus.cursor select ${service}, topic, 0 from unnest(${topics}::text[]) topic
    on conflict do nothing`.execute(db)
}

/** Topics with events that `service` has not seen, in one query. */
async function topicsWithNews<DB>(db: Kysely<DB>, service: string, topics: readonly string[]) {
  const { rows } = await sql<{ topic: string }>`
    select asked.topic from unnest(${topics}::text[]) as asked(topic)
    left join bus.cursor c on c.service = ${service} and c.topic = asked.topic
    where exists (
      select from bus.event e where e.topic = asked.topic and e.id > coalesce(c.seen, 0))`.execute(
    db,
  )
  return new Set(rows.map(({ topic }) => topic))
}

const batch = 100

async function deliverSome<DB>(
  db: Kysely<DB>,
  { service, topic }: { service: string; topic: string },
  consumers: readonly Consumer<DB>[],
) {
  return db.transaction().execute(async (tx) => {
    const at = sql`service = ${service} and topic = ${topic}`
    await sql`insert into bus.cursor values (${service}, ${topic}, 0) on conflict do nothing`.execute(
      tx,
    )
    await sql`select from bus.cursor where ${at} for update`.execute(tx)
    const news = await sql<{ id: number; payload: unknown }>`
      select id, payload from bus.event
      where topic = ${topic} and id > (select seen from bus.cursor where ${at})
      order by id limit ${batch}`.execute(tx)
    const last = news.rows.at(-1)
    if (last === undefined) return // another process delivered them first
    const payloads = news.rows.map(({ payload }) => payload)
    for (const { consume } of consumers) await consume(payloads, tx)
    await sql`update bus.cursor set seen = ${last.id} where ${at}`.execute(tx)
  })
}

export async function createBus(db: Kysely<unknown>) {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(7002)`.execute(tx)
    await sql`create schema if not exists bus`.execute(tx)
    await sql`create table if not exists bus.event (
      id bigserial primary key, topic text not null, payload jsonb not null,
      at timestamptz not null default now())`.execute(tx)
    await sql`create index if not exists event_topic on bus.event (topic, id)`.execute(tx)
    await sql`create table if not exists bus.cursor (
      service text, topic text, seen bigint not null, primary key (service, topic))`.execute(tx)
    await giveIdsAtCommit.execute(tx)
  })
}

/**
 * Trigger that numbers events when their transaction commits, one transaction after another;
 * otherwise a cursor would skip the events of a slower transaction. It runs after all row locks, so
 * that two transactions cannot deadlock on it. Until then the id is negative.
 */
const giveIdsAtCommit = sql`do $$
  begin
    if exists (select from pg_trigger where tgname = 'event_placed'
      and tgrelid = 'bus.event'::regclass) then return;
    end if;
    create sequence bus.event_draft;
    alter table bus.event alter column id set default -nextval('bus.event_draft');
    create function bus.place_event() returns trigger language plpgsql as $place$
    begin
      perform pg_advisory_xact_lock(7001);
      update bus.event set id = nextval('bus.event_id_seq') where id = new.id;
      return null;
    end $place$;
    create constraint trigger event_placed after insert on bus.event
      deferrable initially deferred for each row when (new.id < 0)
      execute function bus.place_event();
  end $$`
