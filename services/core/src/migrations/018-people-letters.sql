-- Letters of every script are found in either case, whatever the locale of the database.
alter table app_user drop column search_text;
alter table app_user add column search_text text generated always as (
  left(lower((' ' || username || ' ' || first_name || ' ' || last_name || ' ' || email)
    collate "und-x-icu"), 300)) stored;
create index app_user_username on app_user (realm, username)
  include (id, search_text, enabled, service_account);
create index app_user_email on app_user (realm, email, id)
  include (search_text, enabled, service_account);
do $$
begin
  create index app_user_search on app_user using gin (search_text public.gin_trgm_ops);
exception when others then
  raise notice 'people are searched without pg_trgm: %', sqlerrm;
end
$$;
