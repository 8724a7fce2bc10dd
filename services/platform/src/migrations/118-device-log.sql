-- Time-line entries of an organization by time, for the log of all devices.
create index moment_log on moment (org text_pattern_ops, at desc, id desc);
