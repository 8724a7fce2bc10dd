-- What the overview page asks, each found by an index of its own: devices lost lately, writes of the last
-- days, writes that wait for a second person, credentials near their end, sources that fail.
create index device_state_lost on device_state (org text_pattern_ops, disconnected_at)
  where not connected and not deleted and disconnected_at is not null;

create index moment_write on moment (at desc) include (org, device_id) where kind = 'write';

create index write_request_waiting on write_request (org text_pattern_ops, at) where state = 'waiting';

create index device_certificate_end on device_certificate (not_after) where revoked_at is null;

create index activation_key_end on activation_key (expires_at) where revoked_at is null and uses = 0;

-- Kept apart from the health itself, so that a report that changes nothing here touches no index.
alter table agent_state add column failing boolean generated always as (
  health @? '$.sources[*] ? (@.state == "failed" || @.state == "partly")') stored;
create index agent_state_failing on agent_state (device_id) where failing;
