-- Copies of the saved views of platform, by its events: who sees them, and the paths of models that they show.
create table view_use (
  view_id uuid primary key,
  organization text not null,
  author text not null,
  shared boolean not null,
  name text not null,
  shown jsonb not null
);
create index view_use_organization on view_use (organization);
