-- Counting and walking in order by indexes alone: a device's row is large.
alter table device
  add column configuration_failed boolean generated always as (configuration_error is not null) stored;
drop index device_state;
create index device_figures on device (organization text_pattern_ops)
  include (connected, last_connection_at, preset_id, configuration_applied, configuration_failed)
  where deleted_at is null;
drop index device_label;
create index device_label on device (label collate natural_order, id) include (organization)
  where deleted_at is null;
