-- In the trash: kept as it was, and in no list.
alter table device_state add column deleted boolean not null default false;
