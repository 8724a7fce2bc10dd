create table organization (
  id int generated always as identity primary key,
  resource_id text not null unique check (length(resource_id) <= 500),
  name text not null check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  label text not null,
  parent int references organization,
  realm text not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'DELETED')),
  dealer boolean not null default false,
  has_own_resources boolean not null default true,
  hostname text,
  hostname_allowed boolean not null default false,
  data_enabled boolean not null default true,
  vpn_enabled boolean not null default true,
  vpn_pairing_mode text not null default 'CC2',
  vpn_otp_required boolean not null default false,
  ip_addresses_whitelist text[] not null default '{}',
  store_enabled boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index organization_hostname on organization (lower(hostname)) where status = 'ACTIVE';
create index organization_parent on organization (parent);

-- Every organization with each one above it and itself (distance 0).
create table organization_tree (
  descendant int not null references organization,
  ancestor int not null references organization,
  distance int not null,
  primary key (descendant, ancestor)
);
create index organization_tree_down on organization_tree (ancestor, distance);
