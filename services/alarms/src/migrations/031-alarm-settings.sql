-- Settings of an organization, which hold for those below that have none of their own.
create table alarm_settings (
  org text primary key,
  -- Days for which closed alarms are kept; null: as above.
  keep_days int check (keep_days between 30 and 3660),
  -- Classes whose alarms are shelved with a note only; null: as above.
  note_classes text[],
  changed_at timestamptz(3) not null,
  changed_by text not null
);
create index occurrence_closed on occurrence (closed_t) where closed_t is not null;
