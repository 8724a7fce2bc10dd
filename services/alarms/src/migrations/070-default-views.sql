-- A person's first view is one of each list: of the open alarms, the history and what is shelved.
alter table default_view add column list text not null default 'open'
  check (list in ('open', 'history', 'shelved'));
update default_view d set list = v.content ->> 'list' from alarm_view v where v.id = d.view_id;
alter table default_view drop constraint default_view_pkey;
alter table default_view add primary key (org, person, list);
alter table default_view alter column list drop default;
