-- Devices that refused their configuration are few: they are found and counted without all others.
create index device_failed on device (organization text_pattern_ops)
  where deleted_at is null and configuration_failed;
