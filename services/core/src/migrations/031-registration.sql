-- Registrations: for a day, so that they can be confirmed and counted.
create table registration (
  id int generated always as identity primary key,
  -- Of the token that confirms it; none where nothing is left to confirm.
  fingerprint text unique,
  -- Fingerprint of the e-mail address, and the network it came from: for limits only.
  address text not null,
  network text not null,
  -- What was registered, sealed.
  content bytea,
  claimed_at timestamptz,
  created_at timestamptz not null
);
create index registration_created on registration (created_at);
