-- Version of a ready-made role. Roles of earlier releases have none; the next start compares them.
alter table role add column version text check (version is null or owner = 'SYSTEM');
