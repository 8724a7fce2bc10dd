-- Actions of people on alarms by time.
create index change_by_people on change (t desc, occurrence desc, n desc) where by_user is not null;
