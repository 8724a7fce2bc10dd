-- An address that a browser follows without a token. It goes with the session that asked for it.
create table export_link (
  -- SHA-256 of what the address carries.
  secret bytea primary key,
  export_id text not null references export_file on delete cascade,
  organization text not null,
  -- Who asked: rights, address and second factor are looked at again when it is followed.
  caller jsonb not null,
  session text,
  expires_at timestamptz not null
);
create index export_link_of_session on export_link (session);
create index export_link_of_file on export_link (export_id);
create index export_link_expires on export_link (expires_at);
