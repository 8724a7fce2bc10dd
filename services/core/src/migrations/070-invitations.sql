-- Somebody of the realm is asked to join an organization: nobody becomes a member without agreeing.
create table membership_invitation (
  id int generated always as identity primary key,
  organization_id int not null references organization on delete cascade,
  user_id int not null references app_user on delete cascade,
  -- Groups and roles that they get, as the one who asked them chose.
  wish jsonb not null,
  inviter jsonb not null,
  created_at timestamptz not null,
  unique (organization_id, user_id)
);
create index membership_invitation_user on membership_invitation (user_id);

-- Where a service account is when it names no organization, whichever others it joins.
alter table membership add column home boolean not null default false;
update membership m set home = true from app_user u
where u.id = m.user_id and u.service_account and m.organization_id = (
  select g.organization_id from group_member gm join user_group g on g.id = gm.group_id
  where gm.user_id = u.id and g.type = 'SELF_USER_SERVICE' order by g.id limit 1);
create unique index membership_home on membership (user_id) where home;

alter table user_import_line drop constraint user_import_line_outcome_check;
alter table user_import_line add constraint user_import_line_outcome_check
  check (outcome in ('WAITING', 'MADE', 'JOINED', 'INVITED', 'PRESENT', 'FAILED'));

-- An account in identity is taken over only by the attempt that made it.
alter table account_claim add column making boolean not null default false;
