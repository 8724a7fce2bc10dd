-- What the platform knows of a device beside its master data, which mappings owns.
create table device_state (
  device_id text primary key,
  org text not null,
  realm text not null default '',
  label text not null default '',
  groups integer[] not null default '{}',
  registered_at timestamptz not null default now(),
  connected boolean not null default false,
  connected_at timestamptz,
  disconnected_at timestamptz,
  last_ip text,
  introspection text not null default '',
  available_tags jsonb,
  reported_configuration text,
  configuration_sent_at timestamptz,
  configuration_applied boolean not null default false,
  configuration_error text,
  received_messages bigint not null default 0,
  received_bytes bigint not null default 0,
  refused_messages bigint not null default 0
);
create index device_state_org on device_state (org text_pattern_ops, device_id);
create index device_state_label on device_state (org, label);

create table connection_event (
  device_id text not null,
  at timestamptz not null,
  connected boolean not null,
  org text not null,
  ip text,
  primary key (device_id, at, connected)
);
