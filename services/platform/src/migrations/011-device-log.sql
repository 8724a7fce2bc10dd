-- What a device said beside its values, and what of it was rejected: for a bounded time.
create table device_log (
  id bigint generated always as identity primary key,
  device_id text not null,
  org text not null,
  at timestamptz not null,
  -- Messages of the protocol itself, which a reader asks for by name.
  system boolean not null,
  level text not null,
  path text,
  data jsonb not null
);
create index device_log_device on device_log (device_id, at desc, id desc);
create index device_log_age on device_log (at);
