-- ACTIVE; DELETING: deleted, and restorable for 30 days; DELETED: purged, the row only keeps its
-- resourceId from being given to another organization.
alter table organization
  drop constraint organization_status_check,
  add constraint organization_status_check check (status in ('ACTIVE', 'DELETING', 'DELETED')),
  -- Rights that come down from organizations above end here.
  add column private_access boolean not null default false,
  -- The organization above may lift the private access.
  add column allow_disable_private_access boolean not null default true,
  -- The nearest organization at or above this one with private access: rights reach from one
  -- organization down to another exactly when this is the same for both.
  add column private_root int references organization,
  add column second_factor_required boolean not null default false,
  add column deleted_at timestamptz,
  add column deleted_by text,
  -- The organization whose deletion took this one along; its own id when it was the one asked for.
  add column deleted_with int references organization,
  add constraint organization_deletion check (
    (status = 'DELETING') = (deleted_at is not null and deleted_with is not null));
create index organization_deleted on organization (deleted_with) where status = 'DELETING';

-- With it the holder may move a device into the organization, once. Only its fingerprint is kept.
create table organization_import_token (
  fingerprint text primary key,
  organization_id int not null references organization,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_for text
);
create index organization_import_token_of on organization_import_token (organization_id);

-- Tokens that were guessed wrong, by person.
create table import_token_guess (
  sub text primary key,
  failures int not null,
  counted_until timestamptz not null
);
