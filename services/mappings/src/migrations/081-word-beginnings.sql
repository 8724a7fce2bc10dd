-- The first letter and the first two of every word, each between blanks: no index of three letters in a
-- row tells "7" at the beginning of a word from the one behind each dot of an address.
create function word_beginnings(text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace($1, ' *([^ ])([^ ]?)[^ ]*', ' \1 \1\2', 'g') || ' '
$$;
alter table device add column search_beginnings text generated always as (
  word_beginnings(left(folded(device_words(label, serial_number, id, description, tags, attributes)), 8000))) stored;

-- Where the database has the extension; without it, it is a scan.
do $$
begin
  create index device_beginnings on device using gin (search_beginnings public.gin_trgm_ops);
exception when others then
  raise notice 'devices are searched without pg_trgm: %', sqlerrm;
end
$$;
