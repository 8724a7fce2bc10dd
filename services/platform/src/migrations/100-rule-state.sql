-- Devices that rules of alarms judge, with the process that does it. Who writes raises seq, and may write only
-- with the seq that it has read.
create table rule_device (
  device_id text primary key,
  -- Number of the process, as in bus.process; null when it has handed the device back.
  node int,
  seq bigint not null,
  -- Clock of the device when it was last judged, and the time of the server then (ms since 1970).
  clock_t double precision,
  clock_at double precision,
  -- Time of the server at which the next timer of one of its rules is due.
  due_at timestamptz,
  -- Time of the oldest value that is to be judged again from the store (ms since 1970).
  again_since double precision,
  judged_at timestamptz not null
);
create index rule_device_due on rule_device (due_at) where due_at is not null;
create index rule_device_again on rule_device (node) where again_since is not null;

-- States of instances of rules in which something holds, is pending or is open.
create table rule_state (
  device_id text not null,
  rule_id uuid not null,
  instance text not null,
  version int not null,
  -- Rule by which the state was judged, in rule_text.
  rule_key text not null,
  -- As text: JSON of values of devices may have characters that jsonb refuses.
  state text not null,
  primary key (device_id, rule_id, instance)
);
create index rule_state_rule on rule_state (rule_id);

-- Rules as they are judged on devices, with what is different there.
create table rule_text (
  key text primary key,
  rule text not null,
  zone text,
  used_at timestamptz not null
);

-- Newest block of values in each range of versions (of one process) of which all values were judged.
create table rule_progress (
  range int primary key,
  version bigint not null,
  at timestamptz not null
);
