-- Text in which words are searched, folded when it is written: to fold the texts of a long history at each search
-- takes seconds.
alter table occurrence add column searched text not null generated always as
  (alarms.folded(alarms.alarm_words(name, tag, description))) stored;
drop index if exists occurrence_search;
do $$
begin
  create index occurrence_search on occurrence using gin (searched public.gin_trgm_ops);
exception when others then
  raise notice 'alarms are searched without pg_trgm: %', sqlerrm;
end
$$;

-- Time from the start of an alarm to its end; without one while it is open.
create function standing(start_t timestamptz, closed_t timestamptz) returns tstzrange
  language sql immutable parallel safe as $$
  select tstzrange(start_t, greatest(start_t, coalesce(closed_t, 'infinity')), '[]')
$$;
-- Alarms that stood within a time, of a history of years.
create index occurrence_standing on occurrence using gist (standing(start_t, closed_t));
-- Alarms of a name, newest first.
create index occurrence_named on occurrence (name, updated_t desc, id);
