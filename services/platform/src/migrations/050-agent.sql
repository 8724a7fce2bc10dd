-- What a gateway's agent last said of itself, and the commands it was given.
create table agent_state (
  device_id text primary key,
  health jsonb not null,
  reported_at timestamptz not null,
  -- The agent's clock less the platform's when the report came.
  clock_difference_ms bigint not null
);

create table agent_command (
  id uuid primary key,
  device_id text not null,
  org text not null,
  command text not null,
  asked_by text not null,
  asked_at timestamptz not null,
  answered_at timestamptz,
  result jsonb,
  error jsonb,
  check (result is null or error is null)
);
create index agent_command_device on agent_command (device_id, asked_at);
