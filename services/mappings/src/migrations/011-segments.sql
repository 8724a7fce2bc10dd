-- A view on the devices that somebody saved: a question asked anew each time, or devices that were picked.
create table segment (
  id text primary key,
  organization text not null,
  name text not null,
  -- The subject of who made it; others see it where it is shared.
  owner text not null,
  owner_name text not null,
  shared boolean not null,
  kind text not null check (kind in ('dynamic', 'picked')),
  question jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index segment_shared_name on segment (organization, folded(name)) where shared;
create unique index segment_own_name on segment (organization, owner, folded(name)) where not shared;

create table segment_device (
  segment_id text not null references segment on delete cascade,
  device_id text not null references device on delete cascade,
  primary key (segment_id, device_id)
);
create index segment_device_of on segment_device (device_id);
