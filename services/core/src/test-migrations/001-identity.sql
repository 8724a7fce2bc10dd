create table realm (name text primary key);
create table account (
  sub uuid primary key default gen_random_uuid(),
  realm text not null references realm,
  username text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  enabled boolean not null default true,
  password text,
  unique (realm, username)
);
