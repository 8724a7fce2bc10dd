alter table app_user
  -- Who is disabled has no rights anywhere, whatever their tokens say.
  add column enabled boolean not null default true,
  -- Begins with a blank, so that every word of it does.
  add column search_text text generated always as (
    lower(' ' || username || ' ' || email || ' ' || first_name || ' ' || last_name)) stored;
create index app_user_email on app_user (realm, email, id);
create index app_user_name on app_user (realm, last_name, first_name, id);
create index app_user_created on app_user (realm, created_at, id);

-- Search inside of names by index, where the database has the extension; without it, it is a scan.
do $$
begin
  create extension if not exists pg_trgm with schema public;
  create index app_user_search on app_user using gin (search_text public.gin_trgm_ops);
exception when others then
  raise notice 'people are searched without pg_trgm: %', sqlerrm;
end
$$;

-- The security policies of the person's groups restrict them here too.
alter table membership add column group_policies_enabled boolean not null default false;

alter table user_group drop constraint user_group_type_check;
update user_group g set type = case
  when exists (select from app_user u where u.username = g.name and u.service_account
    and u.realm = (select realm from organization where id = g.organization_id))
  then 'SELF_USER_SERVICE' else 'SELF_USER' end
where type = 'SELF_USER_ANY';
alter table user_group add constraint user_group_type_check
  check (type in ('STANDARD', 'SELF_USER', 'SELF_USER_SERVICE', 'ALL_USER'));
create index group_member_of on group_member (organization_id, group_id, user_id);

create table group_policy (
  organization_id int not null,
  group_id int not null,
  policy_id int not null,
  primary key (group_id, policy_id),
  foreign key (organization_id, group_id) references user_group (organization_id, id) on delete cascade,
  foreign key (organization_id, policy_id) references security_policy (organization_id, id) on delete cascade
);
create index group_policy_of on group_policy (policy_id);
