import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createBus, deliver, on, publishAll } from './events.ts'
import { testDatabase } from './test-database.ts'

const raised = {
  topic: 'alarms.raised',
  payload: z.object({ id: z.int() }),
  lane: ({ id }: { id: number }) => String(id),
} as const
let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
  await sql.raw(withoutLanes).execute(database.db)
})
afterAll(() => database.close())

/** Tables of the version without lanes, in which the mailer has seen half of the events. */
const withoutLanes = `
  create schema bus;
  create table bus.event (
    id bigserial primary key, topic text not null, payload jsonb not null,
    at timestamptz not null default now());
  create index event_topic on bus.event (topic, id);
  create table bus.cursor (
    service text, topic text, seen bigint not null, primary key (service, topic));
  create sequence bus.event_draft;
  alter table bus.event alter column id set default -nextval('bus.event_draft');
  create function bus.place_event() returns trigger language plpgsql as $place$
  begin
    perform pg_advisory_xact_lock(7001);
    update bus.event set id = nextval('bus.event_id_seq') where id = new.id;
    return null;
  end $place$;
  create constraint trigger event_placed after insert on bus.event
    deferrable initially deferred for each row when (new.id < 0) execute function bus.place_event();
  insert into bus.event (topic, payload)
    select 'alarms.raised', jsonb_build_object('id', n) from generate_series(1, 300) n;
  insert into bus.cursor values ('mailer', 'alarms.raised',
    (select id from bus.event where payload->>'id' = '150'));`

test('events from before the lanes are delivered once, and before all later ones', async () => {
  // The cursor above was read before the numbers were given.
  await sql`update bus.cursor set seen = (select id from bus.event where payload->>'id' = '150')`.execute(
    database.db,
  )
  await Promise.all([createBus(database.db), createBus(database.db)])
  const later = Array.from({ length: 50 }, (_, n) => ({ id: 301 + n }))
  await publishAll(database.db, raised, later)

  const seen: number[] = []
  let isAway = true
  const consumers = [
    on(raised, async ({ id }) => {
      if (isAway && id === 280) throw new Error('smtp')
      seen.push(id)
    }),
  ]
  await expect(deliver(database.db, 'mailer', consumers)).rejects.toThrow('smtp')
  expect(Math.max(...seen)).toBeLessThan(280)
  isAway = false
  seen.splice(seen.indexOf(251)) // the batch that failed was rolled back
  await deliver(database.db, 'mailer', consumers)
  expect(seen.slice(0, 150)).toEqual(Array.from({ length: 150 }, (_, n) => 151 + n))
  expect(seen.slice(150).toSorted((one, other) => one - other)).toEqual(later.map(({ id }) => id))
})

test('a service that comes later gets the events from before the lanes as well', async () => {
  const seen: number[] = []
  await deliver(database.db, 'new', [on(raised, async ({ id }) => void seen.push(id))])
  expect(seen).toHaveLength(350)
  expect(seen.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1))
})

test('the trigger of a version that numbered all events leaves numbered ones alone after an upgrade', async () => {
  await sql`create or replace trigger event_lane before insert on bus.event
    for each row execute function bus.note_lane()`.execute(database.db)
  await createBus(database.db)
  const noted = await database.db.transaction().execute(async (tx) => {
    await sql`insert into bus.event (id, topic, payload)
      values (nextval('bus.event_id_seq'), 'alarms.raised', '{"id": 400}')`.execute(tx)
    return sql`select current_setting('bus.lanes', true) as lanes`.execute(tx)
  })
  expect(noted.rows).not.toEqual([{ lanes: '1' }])
})
