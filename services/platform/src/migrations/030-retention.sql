-- How long values are kept: in an organization and below it, for all paths, those of a model, or a path.
create table retention_rule (
  id uuid primary key,
  organization text not null,
  -- Of a rule for all paths both are empty; never are both set.
  model text not null default '',
  path text not null default '' check (model = '' or path = ''),
  keep_days int not null check (keep_days between 1 and 36500),
  changed_at timestamptz not null,
  changed_by text not null,
  unique (organization, model, path)
);

-- How far the job that takes old values away has come; one row.
create table retention_run (
  id int primary key check (id = 1),
  after_series int not null default 0,
  started_at timestamptz,
  -- Of the last run that came to its end.
  finished_at timestamptz,
  values_gone bigint not null default 0,
  bytes_gone bigint not null default 0,
  -- Of the run under way.
  values_so_far bigint not null default 0,
  bytes_so_far bigint not null default 0
);
insert into retention_run (id) values (1);
