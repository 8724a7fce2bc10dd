create table realm (
  name text primary key,
  label text not null,
  created_at timestamptz not null
);

-- RS256 keys of a realm; the private part is sealed under the installation's master key.
create table realm_key (
  kid text primary key,
  realm text not null references realm on delete cascade,
  sealed bytea not null,
  -- From here on it signs; it is published before, so that verifiers know it in time.
  active_at timestamptz not null,
  created_at timestamptz not null
);
create index realm_key_realm on realm_key (realm, active_at);

create table account (
  sub uuid primary key,
  realm text not null references realm on delete cascade,
  -- Lower case: a name differs from another by more than case.
  username text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  enabled boolean not null,
  password_hash text,
  created_at timestamptz not null,
  unique (realm, username)
);

-- Everything the OpenID provider keeps: sessions, grants, codes, refresh tokens, interactions.
create table oidc_record (
  realm text not null references realm on delete cascade,
  model text not null,
  id text not null,
  payload jsonb not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  uid text,
  grant_id text,
  user_code text,
  account text,
  primary key (realm, model, id)
);
create index oidc_record_expiry on oidc_record (expires_at);
create index oidc_record_uid on oidc_record (realm, model, uid) where uid is not null;
create index oidc_record_grant on oidc_record (realm, grant_id) where grant_id is not null;
create index oidc_record_user_code on oidc_record (realm, user_code) where user_code is not null;
create index oidc_record_account on oidc_record (account) where account is not null;

-- Sign-ins that failed, by account name and by network address; not tied to an account that exists.
create table sign_in_failure (
  key text primary key,
  failures int not null,
  locked_until timestamptz not null,
  last_at timestamptz not null
);

create table one_time_link (
  fingerprint text primary key,
  sub uuid not null references account on delete cascade,
  expires_at timestamptz not null
);
