-- The newest values of 32 neighbouring series in one row: a row of its own costs more than a value.
-- The value of series[k] is of the time t[k], has the quality q[k] and is v[k] as JSON.
create table newest (
  slot int primary key,
  series int[] not null,
  t bigint[] not null,
  q smallint[] not null,
  v text[] not null
) with (fillfactor = 85);

insert into newest (slot, series, t, q, v)
select series >> 5, array_agg(series order by series), array_agg(t order by series),
  array_agg(q order by series), array_agg(v order by series)
from last_value group by series >> 5 order by 1;

drop table last_value;
