create table explorer_view (
  id uuid primary key,
  organization text not null,
  name text not null check (length(name) between 1 and 120),
  description text not null,
  shared boolean not null,
  query jsonb not null,
  -- Subject of the person who made it; the name is for showing.
  author text not null,
  author_name text not null,
  version int not null,
  made_at timestamptz not null,
  changed_at timestamptz not null
);
-- Two of one name cannot be told apart: not among the shared ones, not among one's own.
create unique index explorer_view_shared on explorer_view (organization, lower(name)) where shared;
create unique index explorer_view_own on explorer_view (organization, author, lower(name)) where not shared;
