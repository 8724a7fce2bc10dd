-- Values that the platform writes back to a device unless the write is repeated in time. The process that the device
-- is connected to does so; a row that it has taken has a later 'due', at which another process takes it.
create table write_back (
  device_id text not null,
  path text not null,
  org text not null,
  -- Another one after each repetition of the write.
  id uuid not null,
  value jsonb not null,
  -- Value that was written, until then.
  held jsonb not null,
  by_sub text not null,
  by_name text not null,
  origin jsonb,
  at timestamptz not null,
  due timestamptz not null,
  primary key (device_id, path)
);
create index write_back_due on write_back (due);
