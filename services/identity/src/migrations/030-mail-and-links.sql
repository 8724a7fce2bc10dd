alter table account add column if not exists email_verified boolean not null default false;

-- One living link for each purpose of a person: a newer one takes the place of the older.
alter table one_time_link
  add column purpose text not null default 'password'
    check (purpose in ('password', 'invitation', 'email')),
  -- The address that a link of purpose `email` proves.
  add column email text,
  -- Where an invitation leads: resourceId and label of the organization.
  add column organization text,
  add column organization_label text;
create unique index one_time_link_purpose on one_time_link (sub, purpose);

-- What waits to be mailed, and for a while what was.
create table mail (
  id int generated always as identity primary key,
  realm text not null references realm on delete cascade,
  -- resourceId of the organization it is about; empty: of the realm as a whole.
  organization text not null,
  kind text not null,
  recipient text not null,
  -- The person whose link it carries, and which: a newer link takes its mail back.
  sub uuid references account on delete cascade,
  purpose text,
  -- Subject and texts, sealed since they hold links; gone as soon as they are not needed.
  content bytea,
  status text not null check (status in ('WAITING', 'SENT', 'FAILED')),
  attempts int not null default 0,
  next_at timestamptz not null,
  -- After this the link in it is dead and it is not sent any more.
  valid_until timestamptz,
  error text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index mail_waiting on mail (next_at) where status = 'WAITING';
create index mail_of_realm on mail (realm, id);

-- Names typed on the page for a forgotten password; looked up later, so that the page
-- takes as long for names that nobody has.
create table password_request (
  id int generated always as identity primary key,
  realm text not null references realm on delete cascade,
  typed bytea not null,
  language text not null,
  created_at timestamptz not null
);
