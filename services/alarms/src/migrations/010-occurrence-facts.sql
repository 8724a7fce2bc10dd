-- Facts of the rule at the raise, so that a changed rule changes no open alarm.
alter table occurrence add column needs_ack boolean not null default true;
alter table occurrence add column needs_reset boolean not null default false;
-- Device paths that the rule judges; null for an alarm of the device itself, whose values have no known path.
alter table occurrence add column paths text[];
-- Event time of the last change by its source, and the bits of the state in it.
alter table occurrence add column last_t timestamptz(3) not null default now();
alter table occurrence add column bits smallint;
create index occurrence_newest on occurrence (updated_t desc, id);
create index occurrence_of_group on occurrence (device_id, group_name, start_t) where group_name is not null;

-- Each path of `occurrence.paths` once, to find those that a person may read.
create table used_path (path text primary key);

-- Events that could not be taken, with the reason.
create table set_aside (
  id bigint generated always as identity primary key,
  topic text not null,
  payload jsonb not null,
  error text not null,
  at timestamptz(3) not null
);
create index change_time on change (occurrence, t);
create index command_of on command (occurrence);
create index command_sent on command (sent_at) where state = 'SENT';
