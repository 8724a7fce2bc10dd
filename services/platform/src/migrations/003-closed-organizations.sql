-- The last word of core on organizations that were deleted: devices of closed ones are not let in.
create table organization_state (
  resource_id text primary key,
  closed boolean not null,
  as_of timestamptz not null
);
