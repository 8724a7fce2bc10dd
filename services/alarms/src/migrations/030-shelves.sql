-- Alarms set aside until a time. A shelf holds what its target has, also alarms that come while it lasts.
create table shelf (
  id uuid primary key,
  -- It holds alarms of this organization, and of those below where it reaches down.
  org text not null,
  below boolean not null,
  -- Organizations below with private access at its creation, which it leaves out.
  closed text[] not null,
  target_type text not null
    check (target_type in ('alarm', 'rule', 'device', 'group', 'class', 'organization')),
  target_id text not null,
  -- Device and source of an alarm, by which its later occurrences are known.
  device_id text,
  source text,
  label text not null,
  reason text not null,
  note text not null,
  until timestamptz(3) not null,
  end_on_return boolean not null,
  by_sub text not null,
  by_user text not null,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  ended_by text,
  ended_how text check (ended_how in ('time', 'return', 'lifted', 'gone')),
  -- Alarms still have to be put on it, or taken from it.
  pending boolean not null
);
create unique index shelf_target on shelf (org, target_type, target_id) where ended_at is null;
create index shelf_live on shelf (org text_pattern_ops, until) where ended_at is null;
create index shelf_due on shelf (until) where ended_at is null;
create index shelf_pending on shelf (created_at) where pending;
create index shelf_ended on shelf (ended_at) where ended_at is not null;

-- Organizations in which a shelf from above was lifted: it does not hold there and below.
create table shelf_lifted (
  shelf_id uuid not null references shelf on delete cascade,
  org text not null,
  by_user text not null,
  at timestamptz(3) not null,
  primary key (shelf_id, org)
);
create index occurrence_shelf on occurrence (shelf_id) where shelf_id is not null;
