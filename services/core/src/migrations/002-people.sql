create table app_user (
  id int generated always as identity primary key,
  sub uuid not null unique,
  realm text not null,
  username text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  service_account boolean not null,
  created_at timestamptz not null,
  unique (realm, username)
);

create table membership (
  user_id int not null references app_user on delete cascade,
  organization_id int not null references organization,
  primary key (user_id, organization_id)
);
create index membership_of on membership (organization_id);

create table user_group (
  id int generated always as identity primary key,
  organization_id int not null references organization,
  name text not null,
  label text not null,
  type text not null check (type in ('STANDARD', 'SELF_USER_ANY', 'ALL_USER')),
  unique (organization_id, id),
  unique (organization_id, type, name)
);

-- Who leaves an organization leaves its groups with it.
create table group_member (
  organization_id int not null,
  group_id int not null,
  user_id int not null,
  role text not null check (role in ('ADMIN', 'USER')),
  primary key (group_id, user_id),
  foreign key (organization_id, group_id) references user_group (organization_id, id) on delete cascade,
  foreign key (user_id, organization_id) references membership on delete cascade
);
create index group_member_user on group_member (user_id);

create table security_policy (
  id int generated always as identity primary key,
  organization_id int not null references organization,
  name text not null,
  type text not null check (type in ('STANDARD', 'SELF_DEVICE', 'ALL_DEVICES')),
  -- The device whose own group this is.
  device_id text,
  unique (organization_id, id),
  check ((type = 'SELF_DEVICE') = (device_id is not null))
);
create unique index security_policy_name on security_policy (organization_id, name) where type <> 'SELF_DEVICE';
create unique index security_policy_device on security_policy (device_id) where type = 'SELF_DEVICE';

create table device (
  id text primary key,
  label text not null,
  organization_id int not null references organization
);
create index device_organization on device (organization_id);

create table policy_device (
  policy_id int not null references security_policy on delete cascade,
  device_id text not null references device on delete cascade,
  primary key (policy_id, device_id)
);
create index policy_device_of on policy_device (device_id);

create table user_policy (
  organization_id int not null,
  user_id int not null,
  policy_id int not null,
  primary key (user_id, policy_id),
  foreign key (organization_id, policy_id) references security_policy (organization_id, id) on delete cascade,
  foreign key (user_id, organization_id) references membership on delete cascade
);

create table role (
  id int generated always as identity primary key,
  organization_id int not null references organization,
  name text not null,
  label text not null,
  description text not null,
  type text not null check (type in ('APPLICATION', 'DEVICE')),
  owner text not null check (owner in ('SYSTEM', 'ORGANIZATION', 'APPLICATION')),
  enabled boolean not null default true,
  inherit boolean not null default false,
  default_star boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, id),
  unique (organization_id, name)
);

create table role_rule (
  id int generated always as identity primary key,
  role_id int not null references role on delete cascade,
  resource text not null,
  actions text[] not null check (cardinality(actions) > 0),
  device_group int references security_policy on delete cascade,
  check (device_group is null or resource = 'devices')
);
create index role_rule_role on role_rule (role_id);

create table group_role (
  organization_id int not null,
  group_id int not null,
  role_id int not null,
  primary key (group_id, role_id),
  foreign key (organization_id, group_id) references user_group (organization_id, id) on delete cascade,
  foreign key (organization_id, role_id) references role (organization_id, id) on delete cascade
);
create index group_role_role on group_role (role_id);
