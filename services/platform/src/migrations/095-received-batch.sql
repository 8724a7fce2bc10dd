-- The newest batch of counters that each process wrote into device_state: one that is sent again after a lost
-- answer is counted once.
create table received_batch (
  -- Number of the process, as in bus.process.
  node int primary key,
  batch bigint not null,
  at timestamptz not null default now()
);
