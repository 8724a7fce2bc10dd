-- A preset may have the same name for each version of its model: devices change from one to the other.
alter table preset drop constraint preset_organization_name_key;
create unique index preset_name on preset (organization, name, model_id);
