import type pg from 'pg'

/** Makes the tables as they were before they had keys by slot, with all that they hold: for tests and measurements. */
export async function makeEarlierKeys(pool: pg.Pool) {
  await pool.query(`
    alter table telemetry.chunk drop constraint chunk_pkey;
    alter table telemetry.chunk drop column slot;
    create index chunk_range on telemetry.chunk (series, t0) include (t1);
    alter table telemetry.bundle drop constraint bundle_pkey;
    create index bundle_range on telemetry.bundle (slot, t0) include (t1);
    alter table telemetry.newest drop constraint newest_pkey;
    alter table telemetry.newest drop column slot;
    alter table telemetry.newest rename place to slot;
    alter table telemetry.newest add primary key (slot);
    alter table telemetry.graded_hour drop constraint graded_hour_pkey;
    alter table telemetry.graded_hour drop column slot;
    alter table telemetry.graded_hour add primary key (series, hour);
    alter table telemetry.head drop constraint head_pkey;
    alter table telemetry.head add primary key (version);
    create index head_writer on telemetry.head (writer);
    drop table telemetry.series_run;
    drop sequence telemetry.run_of_4, telemetry.run_of_8, telemetry.run_of_16, telemetry.run_of_32;
    alter table telemetry.series alter id add generated always as identity;
    select setval('telemetry.series_id_seq', (select max(id) from telemetry.series));
    create view telemetry.part as select series >> 8 as slot from telemetry.chunk;
    delete from telemetry.migration where name = '110-keys.sql' or step is not null;
    alter table telemetry.migration drop column step, drop column since, drop column at`)
}
