create table series (
  id int generated always as identity primary key,
  org text not null,
  device text not null,
  path text not null,
  type text not null,
  unique (device, path, org, type)
);

-- A process that accepts values. It holds an advisory lock on its id; without the lock it is gone.
create table writer (id int generated always as identity primary key);

-- Each process takes a block of numbers, so that a later write has the higher version everywhere.
create sequence version increment by 1000000;

-- The write-ahead table: one row a flush, deleted when all its values are in chunks.
create table head (
  version bigint primary key,
  writer int not null,
  data bytea not null
);
create index head_writer on head (writer);

-- Values of one series from t0 to t1. The figures are of its numbers and answer whole buckets.
create table chunk (
  t0 bigint not null,
  t1 bigint not null,
  version bigint not null,
  series int not null,
  n int not null,
  numbers int not null,
  min float8,
  max float8,
  sum float8,
  first float8,
  last float8,
  data bytea not null
);
create index chunk_range on chunk (series, t0) include (t1);

create table last_value (
  series int primary key,
  t bigint not null,
  q smallint not null,
  v text not null
) with (fillfactor = 70);

-- Both are compressed or short-lived already.
alter table chunk alter data set storage external;
alter table head alter data set storage external;
