-- Letters without case and accents, for searching: "Müller" is found by "muller", "É" by "e".
create function folded(text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(normalize(lower($1 collate "und-x-icu"), NFKD), '[\u0300-\u036f]', '', 'g')
$$;
-- Names as people order them: "Oven 2" before "Oven 10", "ä" beside "a".
create collation natural_order (provider = icu, locale = 'und-u-kn-true');

-- Everything of a device itself that a person may look for; every word begins with a blank. The keys
-- of attributes are left out: by them half of all devices would be found.
create function device_words(text, text, text, text, text[], jsonb) returns text
language sql immutable parallel safe as $$
  select concat_ws(' ', '', $1, $2, $3, $4, array_to_string($5, ' '),
    regexp_replace(regexp_replace($6::text, '"(?:[^"\\]|\\.)*": ', '', 'g'), '[][{}",]+', ' ', 'g'))
$$;
-- A number of `geoLocation` within its limits, else nothing.
create function coordinate(jsonb, numeric) returns double precision
language sql immutable parallel safe as $$
  select case when jsonb_typeof($1) = 'number'
    then case when abs($1::numeric) <= $2 then $1::double precision end end
$$;

alter table device
  -- Set while the device is in the trash.
  add column deleted_at timestamptz,
  add column deleted_by text,
  add column search_text text generated always as (
    left(folded(device_words(label, serial_number, id, description, tags, attributes)), 8000)) stored,
  add column lat double precision generated always as (
    coordinate(attributes #> '{geoLocation,0}', 90)) stored,
  add column lon double precision generated always as (
    coordinate(attributes #> '{geoLocation,1}', 180)) stored;

-- What is in the trash is in no list. Every order ends with the id, so that it is total.
drop index device_organization;
drop index device_label;
drop index if exists device_label_anywhere;
create index device_organization
  on device (organization text_pattern_ops, label collate natural_order, id) where deleted_at is null;
create index device_label on device (label collate natural_order, id) where deleted_at is null;
create index device_serial
  on device (serial_number collate natural_order, id) where deleted_at is null;
create index device_created on device (created_at, id) where deleted_at is null;
create index device_updated on device (updated_at, id) where deleted_at is null;
create index device_last_connection
  on device (coalesce(last_connection_at, '1970-01-01 00:00:00+00'), id) where deleted_at is null;
create index device_state
  on device (connected, configuration_error, organization text_pattern_ops) where deleted_at is null;
create index device_tags on device using gin (tags);
create index device_place on device (lat, lon) where deleted_at is null and lat is not null;
create index device_trash on device (organization text_pattern_ops, deleted_at)
  where deleted_at is not null;

-- Search inside of texts by index, where the database has the extension; without it, it is a scan.
do $$
begin
  create extension if not exists pg_trgm with schema public;
  create index device_search on device using gin (search_text public.gin_trgm_ops);
exception when others then
  raise notice 'devices are searched without pg_trgm: %', sqlerrm;
end
$$;
