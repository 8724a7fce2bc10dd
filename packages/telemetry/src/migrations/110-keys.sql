-- Work over many rows goes on beside a running server (src/key-steps.ts): its next step, since when, and the
-- key up to which rows are done.
alter table migration add column step text, add column since timestamptz, add column at bigint[];

-- Ids of series are given by device in runs of 4 to 32, so that a device's newest values lie in one row or
-- few. The n-th run of a size has the n-th place in the slots of that size (src/series-runs.ts).
create table series_run (
  device text primary key,
  first int not null,
  size int not null,
  used int not null
);
create sequence run_of_4;
create sequence run_of_8;
create sequence run_of_16;
create sequence run_of_32;
select setval('run_of_' || size, (free / 1024 + 1) * (256 / size), false)
from unnest(array[4, 8, 16, 32]) as sizes (size),
  (select greatest((select max(id) from series), (select last_value from series_id_seq)) as free) as series;
alter table series alter id drop identity;

-- Rows live until their values are in chunks, so there are never many.
alter table head drop constraint head_pkey;
drop index head_writer;
alter table head add primary key (writer, version);

-- The slot of a row is series >> 8; all tables with values have it in front of their key.
drop view part;
alter table chunk add column slot int;
alter table newest rename slot to place;
alter table newest add column slot int;
alter table graded_hour add column slot int;

do $$ begin
  if exists (select from chunk) then
    insert into migration (name, step) values ('key of chunk', 'fill');
  else
    alter table chunk alter slot set not null, add primary key (slot, series, t0, version) include (t1);
    drop index chunk_range;
    insert into migration (name, step) values ('key of chunk', 'done');
  end if;
  if exists (select from bundle) then
    insert into migration (name, step) values ('key of bundle', 'check');
  else
    alter table bundle add primary key (slot, t0, version) include (t1);
    drop index bundle_range;
    insert into migration (name, step) values ('key of bundle', 'done');
  end if;
  if exists (select from newest) then
    insert into migration (name, step) values ('key of newest', 'fill');
  else
    alter table newest drop constraint newest_pkey;
    alter table newest alter slot set not null, add primary key (slot, place);
    insert into migration (name, step) values ('key of newest', 'done');
  end if;
  if exists (select from graded_hour) then
    insert into migration (name, step) values ('key of graded_hour', 'fill');
  else
    alter table graded_hour drop constraint graded_hour_pkey;
    alter table graded_hour alter slot set not null, add primary key (slot, series, hour);
    insert into migration (name, step) values ('key of graded_hour', 'done');
  end if;
end $$;
