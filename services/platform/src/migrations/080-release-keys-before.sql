-- A release key that was replaced, and what it signed: which key comes after it.
create table agent_release_key_before (
  public_key text primary key,
  next_key text not null,
  endorsement text not null,
  replaced_at timestamptz not null
);
