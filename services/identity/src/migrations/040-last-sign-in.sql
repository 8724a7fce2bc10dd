-- When the person last signed in; sessions that show it are deleted after they end.
alter table account add column last_sign_in_at timestamptz;
update account set last_sign_in_at = (
  select max(started_at) from session_facts where session_facts.sub = account.sub);
