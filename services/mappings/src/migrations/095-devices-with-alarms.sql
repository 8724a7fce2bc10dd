-- Devices with open alarms, which are few: the map asks for them beside all others.
create index device_with_alarms on device (organization text_pattern_ops)
  where deleted_at is null and attributes ? 'alarms_max_severity';
