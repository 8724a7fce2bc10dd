-- Tags are counted by an index that knows the devices with tags alone.
create index device_tagged on device (organization text_pattern_ops) include (tags)
  where deleted_at is null and tags <> '{}';
