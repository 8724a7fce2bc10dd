alter table account add column second_factor boolean not null default false;
