-- One link for each line of the trail, in the order of the events. A link outlives its line: what is
-- removed after its time leaves its digest, so that the chain can still be followed.
create table chain_link (
  seq bigint primary key,
  at timestamptz(3) not null,
  organization text not null,
  -- SHA-256 of the line.
  digest bytea not null,
  -- SHA-256 of the hash before and of this link.
  hash bytea not null
);

-- Where the chain begins and ends, sealed with a key that the database does not have.
create table chain_head (
  only_one boolean primary key default true check (only_one),
  base_seq bigint not null,
  base_hash bytea not null,
  head_seq bigint not null,
  head_hash bytea not null,
  sealed_at timestamptz(3) not null,
  seal bytea not null
);

create table entry (
  seq bigint primary key references chain_link,
  at timestamptz(3) not null,
  organization text not null,
  call text not null,
  resource text not null,
  action text not null,
  target text not null,
  label text not null,
  outcome text not null check (outcome in ('done', 'refused')),
  status int,
  code text,
  count int not null,
  actor_kind text not null,
  actor_sub text not null,
  actor_username text not null,
  actor_realm text not null,
  api_key int,
  impersonator_sub text,
  impersonator_username text,
  ip text not null,
  before jsonb,
  after jsonb,
  -- Lower-case words of the line, for the search.
  words tsvector not null
);
create index entry_place on entry (organization text_pattern_ops, at desc, seq desc);
create index entry_time on entry (at desc, seq desc);
create index entry_target on entry (resource, target, at desc) where target <> '';
create index entry_words on entry using gin (words);

-- How long lines of an organization are kept. Sealed: a row that was not written by the service does not count.
create table retention (
  organization text primary key,
  days int not null check (days between 30 and 3650),
  updated_at timestamptz(3) not null,
  seal bytea not null
);

-- Lines of an organization older than this were removed because their time was over.
create table retention_checkpoint (
  organization text primary key,
  until timestamptz(3) not null,
  sealed_at timestamptz(3) not null,
  seal bytea not null
);

-- The last check of the chain, or the one that is under way.
create table verification (
  only_one boolean primary key default true check (only_one),
  started_at timestamptz(3) not null,
  beat_at timestamptz(3) not null,
  progress real not null,
  finished_at timestamptz(3),
  fault jsonb
);
