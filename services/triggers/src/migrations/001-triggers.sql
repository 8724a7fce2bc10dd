-- Trigger: a policy over values of devices, and actions.
create table trigger (
  id uuid primary key,
  org text not null,
  realm text not null,
  name text not null,
  disabled boolean not null,
  -- It also sees devices of the organizations below.
  below boolean not null,
  version int not null,
  device_groups text[] not null,
  -- Policy and actions as they were posted, without secrets, each action with its uuid.
  data jsonb not null,
  -- Secrets of the actions as JSON, encrypted.
  secrets bytea not null,
  -- Subject of who saved it last; it acts with their rights.
  owner text not null,
  owner_name text not null,
  owner_realm text not null,
  -- What holds at this time is no firing.
  policy_at timestamptz(3) not null,
  -- Since when and why it does not run: {at, code, text, chain}.
  stopped jsonb,
  last_run_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index trigger_of on trigger (org, lower(name), id);

-- Firings that wait to be judged.
create table firing (
  id bigint generated always as identity primary key,
  trigger_id uuid not null references trigger on delete cascade,
  payload jsonb not null,
  tries smallint not null default 0,
  created_at timestamptz(3) not null
);
create index firing_of on firing (trigger_id, id);

-- Newest firings of each part of a trigger on a device, by which a repeated one is known.
create table fired (
  trigger_id uuid not null references trigger on delete cascade,
  device_id text not null,
  instance text not null,
  -- The last 20, in the device's time (ms since 1970).
  times double precision[] not null,
  -- It has run there with the rights of its owner.
  ran boolean not null default false,
  primary key (trigger_id, device_id, instance)
);

-- Time until which an action does not run again for a device.
create table throttle (
  trigger_id uuid not null references trigger on delete cascade,
  action text not null,
  device_id text not null,
  until timestamptz(3) not null,
  primary key (trigger_id, action, device_id)
);

create table counter (
  trigger_id uuid not null references trigger on delete cascade,
  minute timestamptz not null,
  n_in int not null default 0,
  n_out int not null default 0,
  n_throttled int not null default 0,
  primary key (trigger_id, minute)
);
create index counter_age on counter (minute);

create table run (
  id uuid primary key,
  trigger_id uuid not null references trigger on delete cascade,
  trigger_name text not null,
  version int not null,
  -- Organization of the trigger, and the device's facts by which readers are limited.
  org text not null,
  device_id text not null,
  device_label text not null,
  device_org text not null,
  device_groups int[] not null,
  instance text not null,
  kind text not null check (kind in ('acted', 'almost', 'failed')),
  reason text not null,
  text text not null,
  owner_name text not null,
  fired_at double precision not null,
  at timestamptz(3) not null,
  done boolean not null,
  inputs jsonb not null,
  conditions jsonb not null,
  -- Runs that led to it, the first one first: {runId, triggerId, deviceId, name, path, at}.
  chain jsonb not null
);
create index run_list on run (org text_pattern_ops, at desc, id desc);
create index run_of on run (trigger_id, at desc, id desc);
create index run_kept on run (trigger_id, kind, at desc, id desc);
create index run_age on run (at);

create table run_action (
  id uuid primary key,
  run_id uuid not null references run on delete cascade,
  place int not null,
  uuid text not null,
  type text not null,
  state text not null check (state in ('WAITING', 'DONE', 'FAILED', 'BLOCKED', 'THROTTLED', 'SKIPPED')),
  request text not null default '',
  answer text not null default '',
  ms int,
  delivery_id uuid,
  -- Deliveries of it, and those that have ended and failed.
  deliveries int not null default 0,
  ended int not null default 0,
  failures int not null default 0,
  throttled_until timestamptz(3),
  -- All that it needs, encrypted; null when nothing is to be done any more.
  work bytea,
  -- Device that it writes to.
  device_id text,
  -- Handed to another service, which tells its end.
  handed boolean not null default false,
  -- It is done, or taken as failed, at this time.
  due_at timestamptz(3) not null,
  tries smallint not null default 0
);
create index run_action_of on run_action (run_id, place);
create index run_action_due on run_action (due_at) where state = 'WAITING';
create index run_action_device on run_action (device_id) where state = 'WAITING' and device_id is not null;

-- Paths that runs wrote, by which what fires because of them is known.
create table written_path (
  device_id text not null,
  path text not null,
  -- Runs that led to it, the one that wrote last.
  chain jsonb not null,
  at timestamptz(3) not null
);
create index written_path_of on written_path (device_id, path, at desc);
create index written_path_age on written_path (at);

-- Owners who are to be told that their trigger does not run any more.
create table owner_note (
  id uuid primary key,
  trigger_id uuid not null references trigger on delete cascade,
  org text not null,
  sub text not null,
  code text not null,
  name text not null,
  chain text not null,
  due_at timestamptz(3) not null,
  tries smallint not null default 0
);

-- Kinds of actions that an organization has switched off, for itself and all below it.
create table blocked_actions (
  org text primary key,
  types text[] not null,
  updated_at timestamptz(3) not null,
  updated_by text not null
);
