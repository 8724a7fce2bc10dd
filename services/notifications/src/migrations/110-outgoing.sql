-- Messages of triggers as they are sent: request, texts and secrets as JSON, encrypted.
create table outgoing (
  delivery_id uuid primary key references delivery on delete cascade,
  request bytea not null
);
