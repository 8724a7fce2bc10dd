-- A text that is looked for in devices is compared for everybody alike, and not everybody sees how many alarms a
-- device has: what tells of open alarms is left out of the words of a device.
create or replace function device_words(text, text, text, text, text[], jsonb) returns text
language sql immutable parallel safe as $$
  select concat_ws(' ', '', $1, $2, $3, $4, array_to_string($5, ' '),
    regexp_replace(regexp_replace(($6 - '{alarms,alarms_max_severity}'::text[])::text,
      '"(?:[^"\\]|\\.)*": ', '', 'g'), '[][{}",]+', ' ', 'g'))
$$;
update device set attributes = attributes where attributes ?| '{alarms,alarms_max_severity}';
