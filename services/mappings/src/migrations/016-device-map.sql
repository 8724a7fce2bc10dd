-- Where a device stands on the map of the world, 0 to 1 from the left and from the top, as map tiles
-- divide it (spherical Mercator, cut at 85.0511 degrees).
create function mercator_y(double precision) returns double precision
language sql immutable parallel safe as $$
  select 0.5 - ln(tan(pi() / 4 + radians(least(greatest($1, -85.0511287798), 85.0511287798)) / 2))
    / (2 * pi())
$$;
alter table device
  add column map_x double precision generated always as (
    coordinate(attributes #> '{geoLocation,1}', 180) / 360 + 0.5) stored,
  add column map_y double precision generated always as (
    mercator_y(coordinate(attributes #> '{geoLocation,0}', 90))) stored,
  add column has_error boolean generated always as (configuration_error is not null) stored;

-- All that a map asks of devices, so that it need not read their rows.
create index device_map on device (organization text_pattern_ops, map_x, map_y)
  include (lat, lon, connected, has_error, id, groups)
  where deleted_at is null and lat is not null and lon is not null;
