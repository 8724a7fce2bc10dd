-- When presence was last looked after: what happened to devices after that, nobody saw.
create table presence_seen (
  one boolean primary key default true check (one),
  at timestamptz not null
);
