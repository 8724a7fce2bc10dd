-- With the preset, a page far down a list in the order of names is found in the index alone: the planner
-- counts the column of a left join that it leaves out. Otherwise it puts all names in order for each page.
drop index device_label;
create index device_label on device (label collate natural_order, id) include (organization, preset_id)
  where deleted_at is null;
