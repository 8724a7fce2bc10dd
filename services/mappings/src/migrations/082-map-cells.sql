-- A place on the map as one number: its column of 2^26 and then its row of as many. The first bits of both
-- are its cell at a lower zoom, so that one operation says the cell of a device.
create function map_cell(x double precision, y double precision) returns bigint
language sql immutable parallel safe as $$
  select (least(trunc(x * 67108864), 67108863)::bigint << 26) | least(trunc(y * 67108864), 67108863)::bigint
$$;

-- All that a map asks of devices, so that it need not read their rows. An expression is taken from an
-- index only where what it is made of is in it too.
drop index device_map;
create index device_map on device (organization text_pattern_ops, map_cell(map_x, map_y))
  include (map_x, map_y, lat, lon, state_rank, connected, id, groups)
  where deleted_at is null and lat is not null and lon is not null;
