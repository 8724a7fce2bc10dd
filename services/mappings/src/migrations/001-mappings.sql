-- Trees are kept as json, not jsonb: clients compare them and need their keys in the order they posted.
create table model (
  id text primary key,
  organization text not null,
  realm text not null,
  name text not null,
  version text not null,
  major int not null,
  minor int not null,
  patch int not null,
  json json not null,
  parent_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization, name, version)
);
create index model_newest on model (organization text_pattern_ops, name, major desc, minor desc, patch desc);

-- The paths of the newest version of each major version.
create table model_path (
  organization text not null,
  model text not null,
  path text not null,
  model_id text not null references model on delete cascade,
  type text not null,
  instance_of text,
  label text not null,
  description text not null,
  unit text not null,
  tags text[] not null,
  version text not null,
  deprecated boolean not null,
  primary key (organization, model, path)
);
create index model_path_model on model_path (model_id);
create index model_path_organization on model_path (organization text_pattern_ops);

create table preset (
  id text primary key,
  organization text not null,
  realm text not null,
  name text not null,
  model_id text not null references model,
  model_name text not null,
  model_version text not null,
  uuid text not null,
  json json not null,
  -- The DeviceConfiguration, byte for byte as devices get it: they compare it as text.
  compiled text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization, name)
);
create index preset_organization on preset (organization text_pattern_ops);
create index preset_model on preset (model_id);

create table device (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{22}$'),
  organization text not null,
  realm text not null,
  label text not null,
  description text not null default '',
  serial_number text not null default '',
  preset_id text references preset,
  tags text[] not null default '{}',
  attributes jsonb not null default '{}',
  groups int[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  connected boolean not null default false,
  last_connection_at timestamptz,
  configuration_sent boolean not null default false,
  configuration_applied boolean not null default false,
  configuration_error text,
  last_configuration_at timestamptz
);
create index device_organization on device (organization text_pattern_ops, lower(label), id);
create index device_label on device (lower(label), id);
create index device_preset on device (preset_id) where preset_id is not null;
create index device_groups on device using gin (groups);
create index device_attributes on device using gin (attributes jsonb_path_ops);

-- Search inside of labels by index, where the database has the extension; without it, it is a scan.
do $$
begin
  create extension if not exists pg_trgm with schema public;
  create index device_label_anywhere on device using gin (lower(label) public.gin_trgm_ops);
exception when others then
  raise notice 'labels are searched without pg_trgm: %', sqlerrm;
end
$$;
