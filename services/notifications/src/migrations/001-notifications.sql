-- Rule: which alarms make messages, and for whom.
create table notification (
  id uuid primary key,
  org text not null,
  realm text not null,
  name text not null,
  enabled boolean not null,
  minimum_severity smallint not null,
  -- It also takes alarms of the organizations below.
  below boolean not null,
  version int not null,
  -- Body as it was posted, with its defaults.
  settings jsonb not null,
  -- Subject of who saved it last.
  owner text not null,
  owner_name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index notification_of on notification (org) where deleted_at is null;

-- Settings of a rule at a time, for questions about the past.
create table notification_version (
  notification_id uuid not null references notification on delete cascade,
  version int not null,
  enabled boolean not null,
  minimum_severity smallint not null,
  below boolean not null,
  settings jsonb not null,
  at timestamptz(3) not null,
  primary key (notification_id, version)
);

-- Course of an alarm through a rule: what is due next, or the gate at which it ended.
create table decision (
  id bigint generated always as identity primary key,
  notification_id uuid not null references notification on delete cascade,
  version int not null,
  -- Organization of the rule.
  org text not null,
  alarm_id text not null,
  device_id text not null,
  -- Facts of the alarm by which readers are limited, and its names for lists; known once it is judged.
  alarm_org text not null,
  groups int[] not null default '{}',
  label text not null default '',
  -- Change of the alarm that it follows.
  kind text not null,
  at timestamptz(3) not null,
  severity smallint not null,
  state text not null check (state in ('WAITING', 'GROUPED', 'TOLD', 'DROPPED')),
  gate text not null,
  detail text not null default '',
  due_at timestamptz(3),
  tries smallint not null default 0,
  bundle_id uuid,
  message_id uuid,
  created_at timestamptz(3) not null
);
create unique index decision_once on decision (notification_id, alarm_id, kind, at);
create index decision_due on decision (due_at) where state = 'WAITING';
create index decision_bundle on decision (bundle_id) where state = 'GROUPED';
create index decision_message on decision (message_id) where message_id is not null;
create index decision_alarm on decision (alarm_id, id);
create index decision_age on decision (created_at);

-- Alarms of a rule that go out as one message.
create table bundle (
  id uuid primary key,
  notification_id uuid not null references notification on delete cascade,
  -- Organization, device or class that the rule groups by.
  key text not null,
  due_at timestamptz(3) not null,
  -- Worst severity that was told; -1 before the first message.
  told_severity smallint not null default -1,
  created_at timestamptz(3) not null,
  unique (notification_id, key)
);
create index bundle_due on bundle (due_at);

create table message (
  id uuid primary key,
  notification_id uuid,
  org text not null,
  kind text not null,
  -- First alarm for lists, with the facts by which readers are limited, and the number of alarms.
  about text not null,
  about_org text not null,
  about_groups int[] not null,
  total int not null,
  severity smallint not null,
  facts jsonb not null default '{}',
  created_at timestamptz(3) not null
);
create index message_age on message (created_at);

create table delivery (
  id uuid primary key,
  message_id uuid not null references message on delete cascade,
  org text not null,
  -- Subject of a person, an address outside, or the id of a channel.
  recipient text not null,
  -- Name for lists: the user name, the address, the name of the channel.
  recipient_name text not null,
  realm text not null,
  channel text not null,
  channel_id uuid,
  -- Address of the mail; empty for other channels.
  address text not null default '',
  language text not null,
  outside boolean not null default false,
  state text not null check (state in ('WAITING', 'SENDING', 'SENT', 'FAILED', 'DROPPED')),
  -- Gate that dropped it.
  gate text not null default '',
  -- Server that it goes to, so that a slow one holds up no others.
  host text not null default '',
  attempt int not null default 0,
  -- An earlier attempt may have arrived.
  repeated boolean not null default false,
  next_at timestamptz(3) not null,
  lease_until timestamptz(3),
  answer text not null default '',
  ms int,
  -- Attempts end at this time.
  until timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index delivery_once on delivery (message_id, recipient, channel);
create index delivery_due on delivery (next_at) where state = 'WAITING';
create index delivery_lease on delivery (lease_until) where state = 'SENDING';
create index delivery_list on delivery (org, created_at desc, id);
create index delivery_failed on delivery (org, updated_at desc, id) where state = 'FAILED';
create index delivery_rate on delivery (recipient, channel, created_at);

-- Messages that the hourly limit of a recipient held back; they are counted and told at once.
create table held (
  recipient text not null,
  channel text not null,
  org text not null,
  count int not null,
  due_at timestamptz(3) not null,
  -- Delivery whose recipient and channel they share.
  delivery jsonb not null,
  primary key (recipient, channel)
);

create table channel (
  id uuid primary key,
  org text not null,
  name text not null,
  type text not null check (type in ('webhook', 'telegram', 'teams', 'slack', 'ntfy')),
  enabled boolean not null,
  language text not null,
  -- Configuration without secrets.
  config jsonb not null,
  -- Secrets as JSON, encrypted.
  secrets bytea not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  updated_by text not null
);
create unique index channel_name on channel (org, lower(name));

create table inbox_item (
  id uuid primary key,
  sub text not null,
  org text not null,
  message_id uuid not null references message on delete cascade,
  severity smallint not null,
  subject text not null,
  body text not null,
  -- Ids of the alarms that the reader may see.
  alarms text[] not null,
  device_id text,
  created_at timestamptz(3) not null,
  read_at timestamptz(3)
);
create unique index inbox_once on inbox_item (sub, message_id);
create index inbox_list on inbox_item (sub, created_at desc, id);
create index inbox_unread on inbox_item (sub) where read_at is null;

create table preference (
  sub text primary key,
  settings jsonb not null,
  updated_at timestamptz(3) not null
);

create table escalation (
  id uuid primary key,
  org text not null,
  name text not null,
  settings jsonb not null,
  updated_at timestamptz(3) not null,
  updated_by text not null
);
create unique index escalation_name on escalation (org, lower(name));

-- Escalation of the alarms of a message, until nobody has to acknowledge any of them.
create table escalation_run (
  id uuid primary key,
  escalation_id uuid not null references escalation on delete cascade,
  notification_id uuid not null references notification on delete cascade,
  message_id uuid not null references message on delete cascade,
  alarms text[] not null,
  step int not null,
  round int not null default 0,
  begun_at timestamptz(3) not null,
  due_at timestamptz(3) not null
);
create unique index escalation_run_once on escalation_run (message_id);
create index escalation_run_due on escalation_run (due_at);

create table schedule (
  id uuid primary key,
  org text not null,
  name text not null,
  settings jsonb not null,
  -- Person who was told to be on call; null before the first one and in gaps.
  told text,
  updated_at timestamptz(3) not null,
  updated_by text not null
);
create unique index schedule_name on schedule (org, lower(name));
