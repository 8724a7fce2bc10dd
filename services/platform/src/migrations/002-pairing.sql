create table certificate_authority (
  id uuid primary key,
  certificate text not null,
  -- The same key certified by the authority before it, for clients that trust only that one.
  crossed text,
  sealed_key bytea not null,
  current boolean not null,
  made_at timestamptz not null,
  not_after timestamptz not null
);
create unique index one_current_authority on certificate_authority (current) where current;

create table device_certificate (
  serial text primary key,
  authority uuid not null references certificate_authority,
  realm text not null,
  device_id text not null,
  issued_at timestamptz not null,
  not_after timestamptz not null,
  revoked_at timestamptz,
  asked_from text not null
);
create index device_certificate_device on device_certificate (device_id, issued_at);
create index device_certificate_alive on device_certificate (authority, not_after) where revoked_at is null;

create table activation_key (
  id uuid primary key,
  organization text not null,
  device_id text not null,
  fingerprint text not null unique,
  made_at timestamptz not null,
  made_by text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  uses int not null default 0,
  most_uses int check (most_uses > 0),
  last_used_at timestamptz
);
-- Issuing a key takes the one before away, also when two people do it at once.
create unique index one_activation_key on activation_key (device_id) where revoked_at is null;
