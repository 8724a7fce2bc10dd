import { CompiledQuery } from 'kysely'

/** Event as it is written into its table, with its payload as JSON. */
export type EventRow = { topic: string; json: string; lane: number }

/**
 * Statement that writes events as the last one of their transaction. It takes the locks of their lanes in
 * ascending order, gives numbers while it has them, and so needs none of the triggers of `createBus`.
 */
export function insertOfEvents(rows: readonly EventRow[]) {
  const [first, second] = rows
  if (first && !second) return CompiledQuery.raw(insertOne, [first.topic, first.json, first.lane])
  const lanes = rows.map(({ lane }) => lane)
  const locked = [...new Set(lanes)].toSorted((one, other) => one - other)
  const topics = rows.map(({ topic }) => topic)
  const payloads = rows.map(({ json }) => json)
  return CompiledQuery.raw(insertSome, [locked, topics, payloads, lanes])
}

const insertOne = `insert into bus.event (id, topic, payload, lane)
  select nextval('bus.event_id_seq'), $1, $2::jsonb, $3::smallint
  from pg_advisory_xact_lock(7001, $3::smallint)`

const insertSome = `insert into bus.event (id, topic, payload, lane)
  select nextval('bus.event_id_seq'), topic, payload::jsonb, lane
  from (select count(pg_advisory_xact_lock(7001, lane)) from unnest($1::smallint[]) lane) locked,
    unnest($2::text[], $3::text[], $4::smallint[]) as each(topic, payload, lane)`
