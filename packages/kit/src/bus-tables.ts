import { type Kysely, sql } from 'kysely'
import { laneBefore, laneCount, noneSeen } from './lanes.ts'

/** Makes the tables of events, or brings those of an earlier version up to date. */
export async function createBus(db: Kysely<unknown>) {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(7002)`.execute(tx)
    await sql`create schema if not exists bus`.execute(tx)
    await sql`create table if not exists bus.event (
      id bigserial primary key, topic text not null, payload jsonb not null,
      at timestamptz not null default now())`.execute(tx)
    await sql`create table if not exists bus.cursor (
      service text, topic text, seen bigint not null, primary key (service, topic))`.execute(tx)
    if (!(await hasLanes(tx))) await sql.raw(addLanes).execute(tx)
    if (!(await notesDraftsOnly(tx))) await sql.raw(noteDrafts).execute(tx)
  })
}

async function hasLanes(tx: Kysely<unknown>) {
  const { rows } = await sql`select from pg_attribute
    where attrelid = 'bus.event'::regclass and attname = 'lane'`.execute(tx)
  return rows.length > 0
}

async function notesDraftsOnly(tx: Kysely<unknown>) {
  const { rows } = await sql`select from pg_trigger
    where tgrelid = 'bus.event'::regclass and tgname = 'event_lane' and tgqual is not null`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * Triggers that number events when their transaction commits, where an earlier version or a person inserts
 * them: `publish` gives the numbers itself (`insertOfEvents`). One transaction follows another in each lane;
 * otherwise a cursor would skip the events of a slower transaction. They take the locks after all row
 * locks, and in ascending order, so that two transactions cannot deadlock on them. Until then the id is
 * negative. `bus.lanes` holds the lanes of the transaction as bits. A cursor has a number for each lane,
 * that of the events from before first.
 */
const addLanes = `
  lock table bus.event, bus.cursor in access exclusive mode;
  alter table bus.event add column lane smallint not null default ${laneBefore}
    check (lane between ${laneBefore} and ${laneCount - 1});
  alter table bus.event alter column lane set default 0;
  alter table bus.event drop constraint event_pkey;
  drop index if exists bus.event_topic;
  alter table bus.event add primary key (topic, lane, id);

  alter table bus.cursor alter column seen type bigint[]
    using seen || array_fill(0::bigint, array[${laneCount}]);
  alter table bus.cursor alter column seen set default ${noneSeen};

  create sequence if not exists bus.event_draft;
  alter table bus.event alter column id set default -nextval('bus.event_draft');
  create function bus.note_lane() returns trigger language plpgsql as $note$
  declare
    lanes int := coalesce(nullif(current_setting('bus.lanes', true), ''), '0')::int;
  begin
    if lanes & (1 << new.lane) = 0 then
      perform set_config('bus.lanes', (lanes | (1 << new.lane))::text, true);
    end if;
    return new;
  end $note$;

  create or replace function bus.place_event() returns trigger language plpgsql as $place$
  declare
    lanes int := coalesce(nullif(current_setting('bus.lanes', true), ''), '0')::int;
  begin
    if lanes = 1 << new.lane then
      perform pg_advisory_xact_lock(7001, new.lane);
    elsif lanes <> 0 then
      for lane in 0..${laneCount - 1} loop
        if lanes & (1 << lane) <> 0 then perform pg_advisory_xact_lock(7001, lane); end if;
      end loop;
      perform set_config('bus.lanes', '0', true);
    end if;
    update bus.event set id = nextval('bus.event_id_seq')
      where topic = new.topic and lane = new.lane and id = new.id;
    return null;
  end $place$;
  drop trigger if exists event_placed on bus.event;
  create constraint trigger event_placed after insert on bus.event
    deferrable initially deferred for each row when (new.id < 0) execute function bus.place_event();`

/** Trigger that leaves out events which have their number already. */
const noteDrafts = `
  create or replace trigger event_lane before insert on bus.event
    for each row when (new.id < 0) execute function bus.note_lane();`
