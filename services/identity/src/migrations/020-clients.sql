alter table account add column service_account boolean not null default false;

-- Clients that hold a secret: service accounts of a realm, and administration clients of realm master.
create table client (
  realm text not null references realm on delete cascade,
  client_id text not null,
  -- The account that acts through it; none for an administration client.
  sub uuid references account on delete cascade,
  -- A fingerprint: the secret itself is shown once, when it is made.
  secret text not null,
  secret_at timestamptz not null,
  -- What its tokens name as their session; a new one ends every token that was given out.
  session uuid not null,
  created_at timestamptz not null,
  primary key (realm, client_id)
);
create unique index client_sub on client (sub) where sub is not null;
