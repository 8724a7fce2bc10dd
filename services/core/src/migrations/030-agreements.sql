-- What people of a realm agree to, by type, in versions. A version never changes what it says.
create table agreement (
  id int generated always as identity primary key,
  realm text not null,
  service_name text not null,
  type text not null check (type in ('TERM', 'PRIVACY', 'MAINTENANCE')),
  version int not null,
  default_name text not null,
  acceptance_field text not null,
  link text not null,
  -- By language: {"de": {"title": "…", "text": "…"}}
  texts jsonb not null,
  mandatory boolean not null,
  disabled boolean not null default false,
  validity_start timestamptz not null,
  validity_end timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  unique (realm, service_name, type, version)
);

-- A proof: it stays when the person leaves.
create table agreement_acceptance (
  agreement_id int not null references agreement,
  sub uuid not null,
  username text not null,
  accepted_at timestamptz not null,
  ip text not null,
  primary key (agreement_id, sub)
);
create index agreement_acceptance_sub on agreement_acceptance (sub);
