-- Late values that rules did not judge: they were too old, or too many values came after them.
create table rule_unjudged (
  device_id text not null,
  rule_id uuid not null,
  reason text not null check (reason in ('age', 'values')),
  -- Times of the oldest and of the newest of them (ms since 1970).
  from_t double precision not null,
  to_t double precision not null,
  -- Time of the server at which the newest of them came.
  at timestamptz not null,
  primary key (device_id, rule_id, reason)
);
create index rule_unjudged_rule on rule_unjudged (rule_id);
