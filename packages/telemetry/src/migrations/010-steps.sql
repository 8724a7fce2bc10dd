-- Figures of a chunk's values by spans of `step` ms of UTC (0: none): buckets of whole spans need no decoding.
alter table chunk add column step int not null default 0;
alter table chunk add column steps bytea not null default '';
alter table chunk alter steps set storage external;
