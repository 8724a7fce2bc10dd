-- Files of exported values, kept for the person who asked until they expire; then a row says that they were there.
create table export_file (
  -- The id of the job that writes it.
  id text primary key,
  organization text not null,
  -- Subject of the person who asked.
  asked_by text not null,
  name text not null,
  content_type text not null,
  -- Parts are compressed once more (CSV; an XLSX file is compressed already).
  packed boolean not null,
  -- Who writes: of two that think so, the later one.
  writer uuid not null,
  complete boolean not null default false,
  parts int not null default 0,
  -- Of the file as it is downloaded, and as it is stored.
  bytes bigint not null default 0,
  stored_bytes bigint not null default 0,
  made_at timestamptz not null,
  expires_at timestamptz not null
);
create index export_file_of on export_file (organization, asked_by);
create index export_file_expires on export_file (expires_at);

create table export_part (
  export_id text not null references export_file on delete cascade,
  place int not null,
  data bytea not null,
  primary key (export_id, place)
);
-- The parts are compressed already.
alter table export_part alter column data set storage external;
