-- The devices of a preset by their ids, for lists in the order of presets, and whose they are.
drop index device_preset;
create index device_preset on device (preset_id, id) include (organization, deleted_at);
