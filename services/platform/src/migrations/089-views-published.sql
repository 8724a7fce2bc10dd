-- Views that were saved before platform published them; it publishes these once, at its next start.
create table explorer_view_unpublished (view_id uuid primary key references explorer_view on delete cascade);
insert into explorer_view_unpublished select id from explorer_view;
