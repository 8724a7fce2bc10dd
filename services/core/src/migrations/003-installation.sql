create table instance (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into instance default values;

-- The one-time token of the first run; only its fingerprint is kept.
create table setup_token (
  fingerprint text primary key,
  claimed_at timestamptz
);

-- Somebody is making this account in identity right now.
create table account_claim (
  realm text not null,
  username text not null,
  claimed_at timestamptz not null,
  primary key (realm, username)
);

create table user_property (
  user_id int not null references app_user on delete cascade,
  service text not null,
  property text not null,
  value text not null,
  primary key (user_id, service, property)
);

create table user_preference (
  id int generated always as identity primary key,
  user_id int not null references app_user on delete cascade,
  organization_id int not null references organization,
  service_name text not null,
  value text not null,
  unique (user_id, organization_id, service_name)
);
