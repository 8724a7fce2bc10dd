-- Where people of the organization begin in the portal, unless they choose for themselves.
alter table organization add column start_page text check (start_page in ('HOME', 'OVERVIEW'));
