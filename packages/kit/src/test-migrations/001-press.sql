create table press (id serial primary key);
