-- Somebody of the realm asks to be let into an organization; its administrators decide.
create table access_request (
  id int generated always as identity primary key,
  organization_id int not null references organization on delete cascade,
  user_id int not null references app_user on delete cascade,
  note text not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'ACCEPTED', 'DECLINED')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by text
);
-- One that waits is enough.
create unique index access_request_open on access_request (organization_id, user_id) where status = 'OPEN';
create index access_request_user on access_request (user_id);
