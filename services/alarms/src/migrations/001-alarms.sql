-- Devices as far as alarms need them: who may see one, and what it is called.
create table device (
  device_id text primary key,
  org text not null,
  label text not null,
  groups int[] not null,
  -- In the trash: its alarms are not shown.
  deleted boolean not null default false
);

create table rule (
  id uuid primary key,
  org text not null,
  version int not null,
  -- It also judges devices of the organizations below.
  below boolean not null,
  name text not null,
  -- Either of the two is the scope.
  model text,
  device_id text,
  enabled boolean not null,
  -- Rule of @longreach/rules, complete.
  rule jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  updated_by text not null,
  -- Alarms of it keep their name and texts.
  deleted_at timestamptz(3)
);
create unique index rule_name on rule (org, lower(name)) where deleted_at is null;
create index rule_model on rule (model, org) where deleted_at is null;
create index rule_device on rule (device_id) where deleted_at is null;

create table rule_version (
  rule_id uuid not null references rule on delete cascade,
  version int not null,
  below boolean not null,
  rule jsonb not null,
  at timestamptz(3) not null,
  by_user text not null,
  primary key (rule_id, version)
);

create table rule_override (
  rule_id uuid not null references rule on delete cascade,
  device_id text not null,
  settings jsonb not null,
  updated_at timestamptz(3) not null,
  updated_by text not null,
  primary key (rule_id, device_id)
);

-- One row for each time that an alarm came. Times are of the event; heard_t and updated_t are the server's.
create table occurrence (
  id text primary key,
  org text not null,
  device_id text not null,
  -- d:NAME of the device itself, or r:RULE:INSTANCE.
  source text not null,
  rule_id uuid,
  rule_version int,
  instance text,
  name text not null,
  description text not null default '',
  tag text not null default '',
  class text not null default '',
  -- As sent; level is held to 0 to 6 and counted.
  severity int not null,
  level smallint not null check (level between 0 and 6),
  max_severity int not null,
  start_t timestamptz(3) not null,
  heard_t timestamptz(3) not null,
  updated_t timestamptz(3) not null,
  returned_t timestamptz(3),
  acked_t timestamptz(3),
  acked_by text,
  closed_t timestamptz(3),
  active boolean not null,
  ack_required boolean not null,
  reset_required boolean not null,
  cleared boolean not null default false,
  enabled boolean not null default true,
  action text not null default 'NO_ACK' check (action in ('ACK', 'NO_ACK', 'RESET')),
  platform_action boolean not null default false,
  withdrawn boolean not null default false,
  -- The device has gone since, and has not repeated it.
  unconfirmed boolean not null default false,
  suppressed boolean not null default false,
  late boolean not null default false,
  shelf_id uuid,
  -- Source that came first in the group of the rule; its own for the first one.
  first_out text,
  group_name text,
  raises int not null default 1,
  value jsonb,
  words jsonb,
  comment text,
  comments int not null default 0,
  assignee text,
  -- Certificate of the session in which the device last reported it.
  certificate text,
  changes int not null default 0,
  open boolean not null generated always as
    (not cleared and not withdrawn and (active or ack_required or reset_required)) stored
);
create unique index occurrence_start on occurrence (device_id, source, start_t);
create unique index occurrence_open on occurrence (device_id, source) where open;
create index occurrence_open_org on occurrence (org text_pattern_ops, level) where open;
create index occurrence_updated on occurrence (org text_pattern_ops, updated_t desc, id);
create index occurrence_of_device on occurrence (device_id, updated_t desc, id);
create index occurrence_of_rule on occurrence (rule_id, start_t);

create table change (
  occurrence text not null references occurrence on delete cascade,
  n int not null,
  t timestamptz(3) not null,
  heard_t timestamptz(3) not null,
  kind text not null,
  by_user text,
  comment text,
  -- State after the change, as the wire shows it.
  state jsonb not null,
  primary key (occurrence, n)
);

create table command (
  id uuid primary key,
  device_id text not null,
  occurrence text not null references occurrence on delete cascade,
  name text not null,
  command text not null check (command in ('ack', 'reset')),
  started_at timestamptz(3) not null,
  by_user text not null,
  comment text not null,
  certificate text not null,
  state text not null check (state in ('WAITING', 'SENT', 'DONE', 'UNANSWERED')),
  asked_at timestamptz(3) not null,
  sent_at timestamptz(3)
);
create index command_waiting on command (device_id) where state in ('WAITING', 'SENT');

create table device_count (
  device_id text primary key,
  org text not null,
  n int[] not null,
  max smallint not null
);
create index device_count_org on device_count (org text_pattern_ops) where max >= 0;
