alter table account
  add column last_sign_in_at timestamptz,
  add column locked_until timestamptz;
