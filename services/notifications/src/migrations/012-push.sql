-- Keys by which push services know this installation (VAPID, RFC 8292); made once.
create table push_key (
  id smallint primary key default 1 check (id = 1),
  public_key text not null,
  -- Encrypted.
  private_key bytea not null
);

-- Browser that shows a person's messages.
create table push_subscription (
  id uuid primary key,
  sub text not null,
  label text not null,
  -- Server of the endpoint, and the hash of its address.
  host text not null,
  endpoint_hash text not null,
  -- Endpoint and keys as JSON, encrypted.
  sealed bytea not null,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3)
);
create unique index push_subscription_once on push_subscription (endpoint_hash);
create index push_subscription_of on push_subscription (sub);
