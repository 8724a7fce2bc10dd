-- A line is a connection of a device to a process of the server: who has the row of the highest epoch has the device.
create sequence line_epoch;
create table line (
  device_id text not null,
  client_id text not null,
  -- Number of the process, as in bus.process.
  node int not null,
  epoch bigint not null,
  ip text,
  since timestamptz not null,
  -- The connection is gone since then, or its process is; the device counts as connected until `due`.
  lost_at timestamptz,
  due timestamptz,
  primary key (device_id, client_id)
);
create index line_held on line (node) include (epoch) where lost_at is null;
create index line_lost on line (due) where lost_at is not null;

-- Devices that were connected to the version before: they come back, or went when it was last there.
insert into line (device_id, client_id, node, epoch, ip, since, lost_at)
select s.device_id, '', 0, nextval('line_epoch'), s.last_ip, coalesce(s.connected_at, now()),
  greatest(coalesce(p.at, now()), s.connected_at)
from device_state s left join presence_seen p on true where s.connected;
drop table presence_seen;
