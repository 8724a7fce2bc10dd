-- What happened to a device, of whatever service; comments of people stand among it.
create table moment (
  id uuid primary key,
  device_id text not null,
  org text not null,
  at timestamptz not null,
  until timestamptz,
  kind text not null,
  -- The model path that it is about; who may not see the path does not see the moment.
  path text,
  by_name text,
  by_sub text,
  data jsonb not null default '{}',
  made_at timestamptz not null,
  edited_at timestamptz,
  check (until is null or until >= at)
);
create index moment_device on moment (device_id, at desc, id desc);
create index moment_comment on moment (device_id, at) where kind = 'comment';
create index moment_age on moment (made_at) where kind <> 'comment';

insert into moment (id, device_id, org, at, kind, data, made_at)
select gen_random_uuid(), device_id, org, at, 'connection',
  jsonb_build_object('connected', connected, 'ip', ip), at
from connection_event;
