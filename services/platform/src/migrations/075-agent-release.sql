-- The key that signs what agents may update to; there is one.
create table agent_release_key (
  singleton boolean primary key default true check (singleton),
  public_key text not null,
  sealed_key bytea not null,
  made_at timestamptz not null
);

-- Versions of the agent that this installation has offered, and since when.
create table agent_release (
  version text primary key,
  released_at timestamptz not null
);
