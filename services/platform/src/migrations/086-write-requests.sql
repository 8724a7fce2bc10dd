-- Organizations in which a value is written only with the consent of a second person; it holds below, too.
create table write_policy (
  org text primary key,
  second_person boolean not null
);

-- A value that somebody wants to write, waiting for another person.
create table write_request (
  id uuid primary key,
  device_id text not null,
  org text not null,
  path text not null,
  value jsonb not null,
  before jsonb not null,
  reason text,
  by_sub text not null,
  by_name text not null,
  -- The administrator who acted as that person: a second person is neither of both.
  acting_sub text,
  at timestamptz not null,
  expires_at timestamptz not null,
  state text not null check (state in ('waiting', 'approved', 'refused')),
  decided_by text,
  decided_at timestamptz,
  result text
);
create index write_request_device on write_request (device_id, at desc);
create index write_request_age on write_request (at);
