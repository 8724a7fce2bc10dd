-- Newest beat of the pulse that passed each station of this service: 't' is when it began. 'turn' is the minute of the newest beat.
create table pulse_station (
  station text primary key check (station in ('turn', 'value', 'rule')),
  t timestamptz(3) not null,
  at timestamptz(3) not null
);
