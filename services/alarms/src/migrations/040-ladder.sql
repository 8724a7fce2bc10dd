-- Steps by which open alarms get worse with time, each once for an alarm.
create table ladder_step (
  occurrence text not null references occurrence on delete cascade,
  step int not null,
  while text not null check (while in ('active', 'unacknowledged')),
  after_ms bigint not null,
  severity smallint not null,
  due_at timestamptz(3) not null,
  -- ENDED: the alarm returned or was acknowledged before; it waits anew where the alarm comes again.
  state text not null check (state in ('WAITING', 'DONE', 'ENDED')),
  primary key (occurrence, step)
);
create index ladder_due on ladder_step (due_at) where state = 'WAITING';
-- Severity to which the ladder raised the alarm; a level below it does not lower it again.
alter table occurrence add column ladder_severity smallint;
