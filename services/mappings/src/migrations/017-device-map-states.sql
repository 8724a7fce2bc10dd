-- How a device stands, the worst first: 0 error, 1 offline, 2 never connected, 3 online.
alter table device add column state_rank smallint generated always as (
  case
    when configuration_error is not null then 0
    when connected then 3
    when last_connection_at is null then 2
    else 1
  end) stored;

-- All that a map asks of devices, so that it need not read their rows.
drop index device_map;
create index device_map on device (organization text_pattern_ops, map_x, map_y)
  include (lat, lon, state_rank, id, groups, connected, has_error)
  where deleted_at is null and lat is not null and lon is not null;
-- The list beside the map: the worst first, then by name.
create index device_by_state
  on device ((state_rank::text || ' ' || label) collate natural_order, id) include (organization, lat, lon)
  where deleted_at is null;
