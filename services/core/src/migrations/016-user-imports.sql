-- People brought in from a table: one job, done line by line.
create table user_import (
  id int generated always as identity primary key,
  organization_id int not null references organization,
  -- Who asked for it; the job may do what they may do when it does it.
  caller jsonb not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- Until then one process has it; another takes over afterwards.
  worked_on_until timestamptz
);
create index user_import_of on user_import (organization_id, created_at);
create index user_import_open on user_import (id) where finished_at is null;

create table user_import_line (
  import_id int not null references user_import on delete cascade,
  line int not null,
  username text not null,
  person jsonb not null,
  outcome text not null check (outcome in ('WAITING', 'MADE', 'JOINED', 'PRESENT', 'FAILED')),
  -- What stood in the way, and in which column.
  code text,
  problem text,
  -- The link that the administrator hands over where no mail goes out, encrypted.
  link bytea,
  primary key (import_id, line)
);
