-- The service account that may act for a device.
create table device_account (
  device_id text primary key,
  organization_id int not null references organization on delete cascade,
  user_id int not null unique references app_user on delete cascade
);
