-- Rule that tells the alarms of the pulse, in an organization that cannot exist.
insert into notification (id, org, realm, name, enabled, minimum_severity, below, version, settings, owner,
  owner_name, created_at, updated_at)
values ('00000000-0000-4000-8000-000070756c74', ':pulse', '', 'Pulse', true, 0, false, 1,
  '{"name": "Pulse", "description": "", "minimumSeverity": 0, "ackTime": 0, "enabled": true, "nameFilters": [],
    "extraFilters": [], "deviceGroupFilters": [], "recipientFilters": [], "days": [],
    "longreach": {"channels": [], "escalation": null, "digest": null, "onReturn": false, "times": [],
      "zone": "UTC", "group": "organization", "below": false}}', '', '', now(), now());

-- Newest beat of which a message was delivered: t is when it began, at when it was delivered.
create table pulse_station (
  station text primary key check (station = 'message'),
  t timestamptz(3) not null,
  at timestamptz(3) not null
);

-- Program outside of a root organization that is called at each beat.
create table pulse_watcher (
  org text primary key,
  method text not null check (method in ('GET', 'POST')),
  host text not null,
  -- Address, encrypted: whoever knows it can feign the pulse.
  sealed bytea not null,
  updated_at timestamptz(3) not null,
  updated_by text not null,
  -- Newest beat that it took, and when.
  t timestamptz(3),
  at timestamptz(3),
  -- Answer to the newest call.
  answer text not null default '',
  called_at timestamptz(3),
  ok boolean
);
