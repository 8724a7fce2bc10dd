-- Configurations that a device was meant to have, in order. Many devices share a text.
create table configuration_text (
  hash text primary key,
  text text not null
);
create table device_configuration (
  device_id text not null,
  version int not null,
  org text not null,
  -- Null: it was to have none any more.
  hash text references configuration_text,
  made_at timestamptz not null,
  made_by text,
  sent_at timestamptz,
  applied_at timestamptz,
  error text,
  primary key (device_id, version)
);
create index device_configuration_hash on device_configuration (hash);
