-- A shared model is seen and used by the organizations below its own; it is changed in its own only.
alter table model add column shared boolean not null default false;
create index model_shared on model (organization, name) where shared;
create index model_name on model (organization, name);
