-- An administrator acts as somebody: first a link that is good once, then the session that it began.
create table impersonation (
  fingerprint text primary key,
  realm text not null references realm on delete cascade,
  sub uuid not null references account on delete cascade,
  by_sub text not null,
  by_username text not null,
  -- The administrator had a second factor: the session counts as one with it.
  second_factor boolean not null,
  expires_at timestamptz not null,
  session text unique
);
create index impersonation_by on impersonation (by_sub);
create index impersonation_expiry on impersonation (expires_at);
