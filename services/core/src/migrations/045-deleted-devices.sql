-- Devices in the trash: where they were, so that they come back as they were. Their own groups stay,
-- with the rights that hang on them.
create table deleted_device (
  id text primary key,
  label text not null,
  organization_id int not null references organization,
  policies int[] not null
);
create index deleted_device_organization on deleted_device (organization_id);
