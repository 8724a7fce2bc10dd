-- Organizations below may see the preset and give it to their devices.
alter table preset add column sub_orgs_enabled_to_view boolean not null default false;
