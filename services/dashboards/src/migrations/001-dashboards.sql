-- Dashboard, own widget or flow.
create table item (
  id uuid primary key,
  kind text not null,
  org text not null,
  realm text not null,
  name text not null,
  description text not null,
  -- Subject and user name of its owner.
  owner text not null,
  owner_name text not null,
  card_style jsonb,
  manifest jsonb,
  parent uuid references item on delete set null,
  -- Name of the version that readers see.
  current_version text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  deleted_by text
);
create index item_of on item (org text_pattern_ops, kind, lower(name), id);
create index item_of_owner on item (owner, org);
create index item_in_trash on item (deleted_at) where deleted_at is not null;

-- Share: the name is a user name, or * for all here, or ** for all here and below.
create table share (
  item uuid not null references item on delete cascade,
  name text not null,
  -- Subject of the person; null for * and **.
  sub text,
  permission text not null check (permission in ('r', 'r/w')),
  by text not null,
  at timestamptz(3) not null,
  primary key (item, name)
);
create index share_of on share (sub) where sub is not null;

-- Text of a document, shared by all versions with the same bytes.
create table document (
  sha256 bytea primary key,
  text text not null
);

-- Version of an item, which never changes but for its name and note.
create table version (
  item uuid not null references item on delete cascade,
  name text not null,
  number int not null,
  sha256 bytea not null references document,
  note text not null,
  author text not null,
  at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  derived_from text,
  primary key (item, name)
);
create unique index version_number on version (item, number);
create index version_document on version (sha256);

-- Draft of an item: a snapshot, and the changes after it.
create table draft (
  item uuid primary key references item on delete cascade,
  -- Version that it began with, or was last published as.
  base text not null,
  -- Number of changes since the item was made.
  revision bigint not null,
  -- Document at the revision of the snapshot.
  snapshot text not null,
  snapshot_revision bigint not null,
  -- A document of another program: kept byte for byte, and not edited.
  is_foreign boolean not null
);

create table draft_change (
  item uuid not null references item on delete cascade,
  revision bigint not null,
  -- Page of a browser that sent it, and its count there: a repeated one is known by them.
  session text not null,
  seq int not null,
  author text not null,
  author_name text not null,
  label text not null,
  changes jsonb not null,
  inverse jsonb not null,
  at timestamptz(3) not null,
  primary key (item, revision),
  unique (item, session, seq)
);
create index draft_change_old on draft_change (at);
