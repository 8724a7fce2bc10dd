-- Text as it is searched, without case and accents; the same as `foldedSql` of searches.
create function folded(text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(normalize(lower($1 collate "und-x-icu"), NFKD), '[\u0300-\u036f]', '', 'g')
$$;
-- All that a word of a search may be in, but the label of the device.
create function alarm_words(name text, tag text, description text) returns text
  language sql immutable strict parallel safe as $$
  select left(name || ' ' || tag || ' ' || description, 8000)
$$;

-- Search inside of texts by index, where the database has the extension; without it, it is a scan.
do $$
begin
  create extension if not exists pg_trgm with schema public;
  create index occurrence_search on occurrence
    using gin (alarms.folded(alarms.alarm_words(name, tag, description)) public.gin_trgm_ops);
  create index device_search on device using gin (alarms.folded(label) public.gin_trgm_ops);
exception when others then
  raise notice 'alarms are searched without pg_trgm: %', sqlerrm;
end
$$;
