-- System templates come with the service and stand in every tenant under one id. A tenant may have a template of its own
-- with the name of one of them, so the name is unique among its own alone.
alter table device_template drop constraint device_template_name_key;
create unique index device_template_name_key on device_template (tenant_id, name) where not is_system;
