-- A key that nobody presents by then is worth nothing; one that was presented lives on with its device.
alter table activation_key add column first_use_before timestamptz;
