-- Work that moves many devices with one token: has one of them moved? Until then a failure gives the token back.
alter table organization_import_token add column moved boolean not null default false;
