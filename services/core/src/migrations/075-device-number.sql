-- The number by which clients of the wire know a device's row; the device itself bears the text.
alter table device add column number int generated always as identity unique;
