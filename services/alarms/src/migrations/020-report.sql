-- Alarms that came again within an occurrence, for counts of raises by time.
create index change_again on change (t) where kind = 'again';
-- Alarms of an organization by their start, for reports on a month of years.
create index occurrence_begun on occurrence (org text_pattern_ops, start_t);
