-- Saved filters and columns of the lists of alarms, of a person or shared in the organization.
create table alarm_view (
  id uuid primary key,
  org text not null,
  name text not null check (length(name) between 1 and 120),
  shared boolean not null,
  -- Filters as they stand in the address of the list, and columns that are on or off.
  content jsonb not null,
  author text not null,
  author_name text not null,
  version int not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-- Two of one name cannot be told apart: not among the shared ones, not among one's own.
create unique index alarm_view_shared on alarm_view (org, lower(name)) where shared;
create unique index alarm_view_own on alarm_view (org, author, lower(name)) where not shared;

-- View with which a person's list begins.
create table default_view (
  org text not null,
  person text not null,
  view_id uuid not null references alarm_view on delete cascade,
  primary key (org, person)
);
create index default_view_of on default_view (view_id);
