-- When the device was last heard, to the time between two countings.
alter table device_state add column last_message_at timestamptz;
