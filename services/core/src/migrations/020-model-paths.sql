alter table role_rule
  -- A gateway or endpoint as remote access names it.
  add column vpn_name text,
  add constraint role_rule_vpn_name check (vpn_name is null or resource = 'vpn');
create index role_rule_group on role_rule (device_group) where device_group is not null;

-- Paths of models that roles name, as patterns of segments.
create table model_path (
  id int generated always as identity primary key,
  organization_id int not null references organization,
  path text not null,
  created_at timestamptz not null,
  unique (organization_id, id),
  unique (organization_id, path)
);

-- Where a role has some, it gives these paths of its devices and no others.
create table role_model_path (
  organization_id int not null,
  role_id int not null,
  model_path_id int not null,
  may_read boolean not null,
  may_look_back boolean not null,
  may_write boolean not null,
  primary key (role_id, model_path_id),
  foreign key (organization_id, role_id) references role (organization_id, id) on delete cascade,
  foreign key (organization_id, model_path_id) references model_path (organization_id, id)
);
create index role_model_path_of on role_model_path (model_path_id);

-- The owner's role of its own: everything. Who administered a root organization owns it.
insert into role (organization_id, name, label, description, type, owner, enabled, inherit, created_at, updated_at)
select organization_id, 'app_owner', 'Owner',
  'Everything, also deleting organizations, here and in every organization below',
  type, owner, true, true, created_at, updated_at
from role where name = 'app_administrator' and owner = 'SYSTEM'
on conflict do nothing;
insert into role_rule (role_id, resource, actions)
select o.id, rr.resource, rr.actions
from role o
join role a on a.organization_id = o.organization_id and a.name = 'app_administrator' and a.owner = 'SYSTEM'
join role_rule rr on rr.role_id = a.id
where o.name = 'app_owner' and o.owner = 'SYSTEM';
insert into group_role (organization_id, group_id, role_id)
select o.organization_id, gr.group_id, o.id
from role o
join role a on a.organization_id = o.organization_id and a.name = 'app_administrator' and a.owner = 'SYSTEM'
join group_role gr on gr.role_id = a.id
where o.name = 'app_owner' and o.owner = 'SYSTEM'
on conflict do nothing;
update role_rule rr set actions = array_remove(rr.actions, 'delete')
from role r
where r.id = rr.role_id and r.name = 'app_administrator' and r.owner = 'SYSTEM' and rr.resource = 'organizations';
update role set description = 'Everything but deleting organizations, here and below'
where name = 'app_administrator' and owner = 'SYSTEM';
