-- Short chunks of 256 neighbouring series in one row: a row of its own would cost more than its values.
-- Part k is of series[k], from starts[k] to ends[k], with counts[k] values; its bytes end at upto[k].
create table bundle (
  slot int not null,
  t0 bigint not null,
  t1 bigint not null,
  version bigint not null,
  n int not null,
  raw int not null,
  series int[] not null,
  starts bigint[] not null,
  ends bigint[] not null,
  counts int[] not null,
  upto int[] not null,
  data bytea not null
);
create index bundle_range on bundle (slot, t0) include (t1);
alter table bundle alter data set storage external;

-- What is stored of each series, wherever it lies. The bytes of a part are its share of its bundle.
create view part as
  select series >> 8 as slot, series, t0, t1, n,
    octet_length(data) + octet_length(steps) as bytes, false as bundled
  from chunk
  union all
  select b.slot, p.series, p.t0, p.t1, p.n,
    (octet_length(b.data)::float8 * (p.upto - coalesce(b.upto[p.at - 1], 0)) / b.raw)::int, true
  from bundle b cross join lateral unnest(b.series, b.starts, b.ends, b.counts, b.upto)
    with ordinality as p (series, t0, t1, n, upto, at);
