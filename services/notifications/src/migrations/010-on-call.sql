-- State that was told last: `on:PERSON`, `removed:PERSON` or `nobody`; null before the first look.
alter table schedule add column told_state text;
update schedule set told_state = 'on:' || told where told is not null;

-- Note of the person on call for the next one.
alter table schedule add column note text not null default '';
alter table schedule add column note_by text not null default '';
alter table schedule add column note_at timestamptz(3);

-- Hash of the secret in the address of the calendar; null without one.
alter table schedule add column calendar_hash text;
create unique index schedule_calendar on schedule (calendar_hash) where calendar_hash is not null;
