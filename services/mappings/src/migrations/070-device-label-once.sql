-- One device for a label inside an organization. Where several have the same, the oldest keeps it; each
-- other gets a number behind it, or where that is taken too, its id. The service tells of them at its start.
create table device_renamed (device_id text primary key references device on delete cascade);

do $$
declare
  -- A number first; an id is of one device only, so that after it nothing is left to do.
  last boolean;
begin
  foreach last in array array[false, true] loop
    with counted as (
      select id, organization, label,
        row_number() over (partition by organization, label order by created_at, id) as place
      from device where deleted_at is null
    ), called as (
      select id, left(label, 170) || ' (' || case when last then id else place::text end || ')' as label
      from counted one where place > 1
    ), renamed as (
      update device d set label = called.label from called where d.id = called.id returning d.id
    )
    insert into device_renamed select id from renamed on conflict do nothing;
  end loop;
end $$;

create unique index device_label_once on device (organization, label) where deleted_at is null;
