-- Device and rule of the pulse, in an organization that cannot exist: see src/pulse-contract.ts.
insert into device (device_id, org, label, groups)
values ('pulse-of-this-platform', ':pulse', 'Pulse', '{}');

insert into rule (id, org, version, below, name, device_id, enabled, rule, created_at, updated_at, updated_by)
values ('00000000-0000-4000-8000-000070756c73', ':pulse', 1, false, 'Pulse', 'pulse-of-this-platform', true,
  '{"name": "Pulse", "scope": {"deviceId": "pulse-of-this-platform"}, "kind": "condition",
    "when": {"path": "Pulse:1/beat", "op": ">", "value": 0}, "levels": [{"severity": 6}],
    "ack": false, "reset": false, "chatter": {"max": 0, "withinMs": 0}}', now(), now(), '');

insert into rule_version (rule_id, version, below, rule, at, by_user)
select id, version, below, rule, created_at, updated_by from rule
where id = '00000000-0000-4000-8000-000070756c73';

-- Newest beat of which an alarm was written.
create table pulse_station (
  station text primary key check (station = 'alarm'),
  t timestamptz(3) not null,
  at timestamptz(3) not null
);
