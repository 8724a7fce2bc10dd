alter table account
  add column email_verified boolean not null default false,
  -- What the person must do at their next sign-in, in Keycloak's words.
  add column required_actions text[] not null default '{}';

-- A program that shows a code every 30 seconds; its secret is sealed.
create table authenticator_app (
  id uuid primary key,
  sub uuid not null references account on delete cascade,
  label text not null,
  sealed bytea not null,
  -- The last step that was used: no code counts twice.
  last_step bigint not null,
  created_at timestamptz not null
);
create index authenticator_app_sub on authenticator_app (sub);

create table passkey (
  id uuid primary key,
  sub uuid not null references account on delete cascade,
  label text not null,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null
);
create index passkey_sub on passkey (sub);

-- Kept as fingerprints; a row is a code that was not used yet.
create table recovery_code (
  sub uuid not null references account on delete cascade,
  fingerprint text not null,
  created_at timestamptz not null,
  primary key (sub, fingerprint)
);

-- A secret or challenge that somebody was given and has not answered, for a sign-in or a session.
create table pending_factor (
  holder text not null,
  kind text not null,
  sealed bytea not null,
  expires_at timestamptz not null,
  primary key (holder, kind)
);
create index pending_factor_expiry on pending_factor (expires_at);

-- How far a sign-in has come, by the provider's interaction.
create table sign_in_flow (
  uid text primary key,
  realm text not null references realm on delete cascade,
  sub uuid references account on delete cascade,
  amr text[] not null,
  authenticated_at timestamptz,
  -- Required actions done in this sign-in.
  done text[] not null,
  -- How the action that the portal asked for ended.
  action_status text,
  expires_at timestamptz not null
);
create index sign_in_flow_expiry on sign_in_flow (expires_at);

-- Where a session came from and when it was used last.
create table session_facts (
  realm text not null references realm on delete cascade,
  uid text not null,
  sub uuid not null references account on delete cascade,
  ip text not null,
  user_agent text not null,
  started_at timestamptz not null,
  last_access_at timestamptz not null,
  primary key (realm, uid)
);
create index session_facts_sub on session_facts (sub);
