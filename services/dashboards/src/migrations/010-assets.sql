-- File that a dashboard shows: its content lies in the data folder under its digest.
create table asset (
  item uuid not null references item on delete cascade,
  name text not null,
  -- Organization of the dashboard, whose storage the file takes.
  org text not null,
  -- Identifier that the client gave for its widget; empty for none.
  widget text not null,
  sha256 bytea not null,
  -- Media type of what is kept, which may differ from what was sent: pictures are WebP.
  type text not null,
  bytes bigint not null,
  -- Small picture of at most 320 px.
  preview_sha256 bytea,
  preview_bytes bigint not null,
  width int,
  height int,
  by text not null,
  at timestamptz(3) not null,
  primary key (item, name)
);
create index asset_of on asset (org, sha256);
create index asset_file on asset (sha256);
create index asset_preview on asset (preview_sha256) where preview_sha256 is not null;

-- Upload that is under way, for 24 hours: its bytes so far lie in the data folder.
create table upload (
  id uuid primary key,
  item uuid not null references item on delete cascade,
  org text not null,
  name text not null,
  widget text not null,
  bytes bigint not null,
  received bigint not null,
  owner text not null,
  at timestamptz(3) not null
);
create index upload_of on upload (org);
create index upload_old on upload (at);
