-- Devices from a table: what each line asks for and what became of it, for a week.
create table device_import (
  id int generated always as identity primary key,
  organization text not null,
  sub text not null,
  name text not null,
  job text,
  created_at timestamptz not null
);
create index device_import_of on device_import (organization, sub, id);
create index device_import_age on device_import (created_at);

create table device_import_line (
  import_id int not null references device_import on delete cascade,
  line int not null,
  -- Given beforehand: a line that is done again after a stop makes no second device.
  device_id text not null,
  wanted jsonb not null,
  outcome text not null check (outcome in ('WAITING', 'MADE', 'PRESENT', 'FAILED')),
  problem text,
  -- The activation key, sealed.
  key bytea,
  primary key (import_id, line)
);
