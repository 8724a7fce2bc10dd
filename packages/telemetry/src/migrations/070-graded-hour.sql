-- Hours of UTC in which a value of a series was not good, so that such values are found without looking at all.
-- An hour may stand here after its values were taken away or written again.
create table graded_hour (
  series int not null,
  hour bigint not null,
  worst smallint not null,
  primary key (series, hour)
);
