-- Organization that has the model of a rule, and an id of that model: other organizations may have models of
-- the same name. Null for a rule of one device, and for one of before until its model is looked up.
alter table rule add column model_org text;
alter table rule add column model_id text;
create index rule_model_unknown on rule (org) where model is not null and model_org is null and deleted_at is null;
